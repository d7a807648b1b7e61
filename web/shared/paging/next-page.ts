export interface NextPage {
  page: number
  cursor?: string
}

/** Returns the page that a list's `next` URL refers to: `/api/…?page=2&cursor=…`. */
export function nextPageParam({ next }: { next: string | null }): NextPage | undefined {
  if (next === null) return undefined
  const search = new URLSearchParams(next.split('?')[1])
  const cursor = search.get('cursor')
  return { page: Number(search.get('page') ?? 1), ...(cursor !== null && { cursor }) }
}
