import type { Case, Report } from '@reelmark/contract/moderation.ts'
import type { WholeCase } from './case-parts.ts'

export const person = (id: number, username: string) => ({
  id,
  username,
  avatar_url: '/media/default.jpg',
  is_verified: false,
})

const at = '2026-11-01T12:00:00.000Z'

export function aReport(id: number, more: Partial<Report> = {}): Report {
  return {
    id,
    target_kind: 'video',
    target_id: 5,
    video_id: 5,
    bookmark_id: null,
    comment_id: null,
    user: person(3, 'ana'),
    report_type: 'spam',
    notes: '',
    orientation: null,
    status: 'open',
    hid: true,
    is_held: false,
    snapshot: 'A film',
    reporter: person(4, 'ben'),
    reporter_standing: { approved: 2, rejected: 1 },
    created_at: at,
    decided_at: null,
    decided_by: null,
    ...more,
  }
}

export function aCase(id: number, more: Partial<Case> = {}): Case {
  return {
    target_kind: 'video',
    target_id: id,
    video_id: id,
    bookmark_id: null,
    user: person(3, 'ana'),
    title: `Film ${id}`,
    thumbnail_url: null,
    orientation: 'sfw',
    state: 'hidden',
    is_held: false,
    reports_count: 1,
    types: ['spam'],
    first_report_id: id * 10,
    first_at: at,
    last_at: at,
    claim: null,
    ...more,
  }
}

export function aWhole(id: number, more: Partial<WholeCase> = {}): WholeCase {
  const reports = more.reports ?? [aReport(id * 10, { target_id: id, video_id: id })]
  return {
    case: aCase(id, {
      types: [...new Set(reports.map((each) => each.report_type))],
      reports_count: reports.length,
    }),
    content: null,
    video: {
      id,
      title: `Film ${id}`,
      description: '',
      tags: [],
      source_url: `https://films.example.org/${id}`,
      host: 'films.example.org',
      orientation: 'sfw',
      status: 'hidden',
      thumbnail_url: null,
      saves_count: 1,
      created_at: at,
    },
    reports,
    decisions: [],
    ...more,
  }
}
