import { useMemo } from 'react'
import { useSession } from '../../session.ts'
import { isHere, likelyPlace } from './place.ts'
import type { OwnCollections } from './place-fields.tsx'
import { blankValues, type SaveValues, type Typed } from './save-values.ts'

/**
 * What a form shows: what was typed, above what was `found` about the video, above what one set in one's profile and
 * where one saved last. Only what was typed is kept as a draft, so that nothing else stays after it changed.
 */
export function useSaveValues(
  typed: Typed,
  found: Typed,
  { list }: OwnCollections,
  channelName: string | null,
): SaveValues {
  const profile = useSession().user?.profile
  const orientation = profile?.default_bookmark_orientation ?? blankValues.orientation
  const preferred = profile?.default_bookmark_collection ?? null
  const likely = useMemo(() => likelyPlace(list, { preferred, channelName }), [list, preferred, channelName])
  return useMemo(() => {
    const { collection, channel = null, ...rest } = typed
    const chosen =
      collection === undefined || (list.length > 0 && !isHere(collection, list))
        ? null
        : { collection, channel }
    return { ...blankValues, orientation, ...found, ...rest, ...(chosen ?? likely) }
  }, [typed, found, list, orientation, likely])
}
