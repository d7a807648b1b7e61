import type { TrashItem } from '@reelmark/contract/bookmark-changes.ts'

/** Returns a deleted bookmark as the API lists it. */
export function trashItem(id: number, properties: Partial<TrashItem> = {}): TrashItem {
  return {
    id,
    video_id: id,
    title: `Film ${id}`,
    thumbnail_url: null,
    thumbnail_large_url: null,
    user_username: 'alice',
    host: 'films.example.org',
    orientation: 'sfw',
    shape: 'landscape',
    duration: null,
    created_at: '2026-01-01T00:00:00Z',
    saves_count: 0,
    likes_count: 0,
    is_public: false,
    collection: { id: 1, name: 'My Vault' },
    channel: null,
    deleted_at: '2026-01-02T00:00:00Z',
    days_left: 4,
    ...properties,
  }
}
