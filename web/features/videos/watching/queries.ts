import { getPosition } from '@reelmark/contract/playback.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** Where the viewer stopped watching a video, in seconds; null: nowhere. Browser only. */
export function positionQuery(videoId: number) {
  return queryOptions({
    queryKey: ['position', videoId] as const,
    queryFn: async ({ signal }) => (await api(getPosition, { params: { id: videoId } }, { signal })).seconds,
    retry: false,
  })
}
