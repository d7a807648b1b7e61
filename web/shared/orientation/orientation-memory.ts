import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import { readLocalStorage, writeLocalStorage } from '../../ui/local-storage.ts'
import { readOrientation } from '../paging/search-params.ts'

const storageKey = 'orientation'

/** Returns the orientation filter last chosen on this device; undefined means all. */
export function readLastOrientation(): Exclude<OrientationFilter, 'all'> | undefined {
  return readOrientation(readLocalStorage(storageKey))
}

export function storeLastOrientation(filter: OrientationFilter | undefined): void {
  writeLocalStorage(storageKey, filter ?? 'all')
}
