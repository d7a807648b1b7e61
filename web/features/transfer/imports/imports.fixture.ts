/** Imports as the server returns them. */
import type { Import, ImportSummary } from '@reelmark/contract/imports.ts'

const earlier = '2026-11-20T10:00:00Z'
const later = '2026-12-20T10:00:00Z'

export const noOutcomes: Import['outcomes'] = {
  new: 0,
  changed: 0,
  held: 0,
  known: 0,
  skipped: 0,
  rejected: 0,
  undone: 0,
  retained: 0,
}

export const testImport = (more: Partial<Import> = {}): Import => ({
  id: 1,
  state: 'done',
  format: 'Raindrop',
  is_own_format: false,
  source_url: null,
  failure: null,
  ignored_files: 0,
  summary: null,
  columns: null,
  done: 5,
  total: 5,
  outcomes: noOutcomes,
  imported_videos: 0,
  can_undo: false,
  incomplete: 0,
  created_at: earlier,
  finished_at: earlier,
  expires_at: later,
  ...more,
})

export const testSummary = (more: Partial<ImportSummary> = {}): ImportSummary => ({
  rows: 3,
  videos: 2,
  plain_links: 0,
  in_vault: 0,
  likes: 0,
  with_date: 0,
  with_note: 0,
  with_tags: 0,
  private: 0,
  access_unknown: 0,
  history: 0,
  subscriptions: 0,
  others: 0,
  tags: 0,
  collections_count: 0,
  channels: 0,
  collections: [],
  rejected: 0,
  rejected_reasons: [],
  sample: [],
  rejected_sample: [],
  ...more,
})
