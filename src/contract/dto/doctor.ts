export * from '../../domain/doctor/changedSettings'
export * from '../../domain/doctor/doctorDocument'
export * from '../../domain/doctor/doctorText'
