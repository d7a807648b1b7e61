import { useMemo } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { isKnownCollection, suggestDestination } from '../destination/destination.ts'
import type { OwnCollections } from '../destination/destination-fields.tsx'
import { blankValues, type EditedValues, type SaveValues } from './save-values.ts'

/**
 * Returns the values that a form shows: the user's changes, else the extracted details, else the defaults of the
 * profile and the last destination. Only the changes are stored as a draft, so that everything else follows later
 * changes.
 */
export function useSaveValues(
  edited: EditedValues,
  extracted: EditedValues,
  { list }: OwnCollections,
  channelName: string | null,
): SaveValues {
  const profile = useSession().user?.profile
  const orientation = profile?.default_bookmark_orientation ?? blankValues.orientation
  const access = profile?.default_bookmark_access ?? blankValues.access
  const preferred = profile?.default_bookmark_collection ?? null
  const suggested = useMemo(
    () => suggestDestination(list, { preferred, channelName }),
    [list, preferred, channelName],
  )
  return useMemo(() => {
    const { collection, channel = null, ...rest } = edited
    const chosen =
      collection === undefined || (list.length > 0 && !isKnownCollection(collection, list))
        ? null
        : { collection, channel }
    return { ...blankValues, orientation, access, ...extracted, ...rest, ...(chosen ?? suggested) }
  }, [edited, extracted, list, orientation, access, suggested])
}
