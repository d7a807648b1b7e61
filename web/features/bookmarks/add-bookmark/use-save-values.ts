import { useMemo } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { isKnownCollection, suggestDestination } from '../destination/destination.ts'
import type { OwnCollections } from '../destination/destination-fields.tsx'
import { blankValues, type EditedValues, type SaveValues } from './save-values.ts'

/**
 * What a form shows: what was typed, above what was `found` about the video, above what one set in one's profile and
 * where one saved last. Only what was typed is kept as a draft, so that nothing else stays after it changed.
 */
export function useSaveValues(
  typed: EditedValues,
  fieldErrors: EditedValues,
  { list }: OwnCollections,
  channelName: string | null,
): SaveValues {
  const profile = useSession().user?.profile
  const orientation = profile?.default_bookmark_orientation ?? blankValues.orientation
  const preferred = profile?.default_bookmark_collection ?? null
  const likely = useMemo(
    () => suggestDestination(list, { preferred, channelName }),
    [list, preferred, channelName],
  )
  return useMemo(() => {
    const { collection, channel = null, ...rest } = typed
    const chosen =
      collection === undefined || (list.length > 0 && !isKnownCollection(collection, list))
        ? null
        : { collection, channel }
    return { ...blankValues, orientation, ...fieldErrors, ...rest, ...(chosen ?? likely) }
  }, [typed, fieldErrors, list, orientation, likely])
}
