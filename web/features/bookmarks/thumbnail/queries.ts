import { extractMetadata, previewThumbnail } from '@reelmark/contract/extraction.ts'
import { isHttpUrl, parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/**
 * Returns whether a link is complete enough to be that of a picture: an http or https URL whose path or query names something.
 * While a host or folder is typed, requests could only fail.
 */
export function isPictureLink(link: string): boolean {
  const url = isHttpUrl(link) ? parseUrl(link) : null
  return url !== null && (!url.pathname.endsWith('/') || url.search.length > 1)
}

/** The picture at a link, fetched by our server: browsers request nothing from other sites. Browser only. */
export function thumbnailPreviewQuery(url: string) {
  return queryOptions({
    queryKey: ['thumbnail-preview', url] as const,
    queryFn: ({ signal }) => api(previewThumbnail, { body: { url } }, { signal }),
    enabled: isPictureLink(url),
    staleTime: 5 * 60_000,
    retry: false,
  })
}

/** The pictures that the page of a video contains now. Browser only. */
export function offeredPicturesQuery(sourceUrl: string) {
  return queryOptions({
    queryKey: ['offered-pictures', sourceUrl] as const,
    queryFn: async ({ signal }) =>
      (await api(extractMetadata, { body: { url: sourceUrl } }, { signal })).pictures,
    staleTime: 5 * 60_000,
    retry: false,
  })
}
