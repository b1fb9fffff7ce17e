import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'

export const now = Date.now()
/** A damaged disc, one that was never verified, one whose time has come, and one that is not due. */
export const VOLUMES = [
  volumeDue('PHOTOS_02', 2, now, { checkedDays: 20, dueDays: -20, damaged: 3 }),
  volumeDue('PHOTOS_03', 3, now, { checkedDays: null, dueDays: -3 }),
  volumeDue('FAMILY_01', 1, now, { checkedDays: 366, dueDays: -1 }),
  volumeDue('PHOTOS_01', 1, now, { checkedDays: 20, dueDays: 345 }),
]
