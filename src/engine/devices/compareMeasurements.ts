import type { MeasureComparison, MeasurementDocument } from '../../contract/dto/measure'
import { compareFigures } from '../../domain/devices/compareFigures'
import { SAMPLE_OPERATIONS } from '../../domain/devices/measurement'
import { containerName } from '../../primitives/containerName'
import { measurementItem } from '../catalog/stores/measureStore'

function containersIn({ container, containers }: MeasurementDocument): string {
  return containers === undefined ? containerName(container) : containers.map(containerName).join(' ')
}

/** Two measurements side by side, with what speaks against comparing them. */
export function compareMeasurements(a: MeasurementDocument, b: MeasurementDocument): MeasureComparison {
  const notes: MeasureComparison['notes'] = []
  if (a.device.key !== b.device.key) notes.push('differentDevices')
  if (containersIn(a) !== containersIn(b)) notes.push('differentContainers')
  if (JSON.stringify(a.spec) !== JSON.stringify(b.spec)) notes.push('differentSpecs')
  if (a.cache.obtained !== b.cache.obtained) notes.push('differentCacheModes')
  if (!a.cache.plausible || !b.cache.plausible) notes.push('implausible')
  if (a.partial || b.partial) notes.push('partial')
  return {
    a: measurementItem(a),
    b: measurementItem(b),
    notes,
    operations: SAMPLE_OPERATIONS.flatMap((op) => {
      const [first, second] = [a[op], b[op]]
      return first && second ? [{ op, ...compareFigures(first, second) }] : []
    }),
  }
}
