import type { Case, Report } from '@reelmark/contract/cases.ts'
import type { CaseDetails } from './case-approval.ts'

export const testUser = (id: number, username: string) => ({
  id,
  username,
  avatar_url: '/media/default.jpg',
  is_verified: false,
})

const testTime = '2026-11-01T12:00:00.000Z'

export function testReport(id: number, more: Partial<Report> = {}): Report {
  return {
    id,
    target_kind: 'video',
    target_id: 5,
    video_id: 5,
    bookmark_id: null,
    comment_id: null,
    user: testUser(3, 'ana'),
    report_type: 'spam',
    notes: '',
    orientation: null,
    status: 'open',
    did_hide: true,
    is_held: false,
    snapshot: 'A film',
    collection: null,
    proposal: null,
    reporter: testUser(4, 'ben'),
    reporter_standing: { approved: 2, rejected: 1 },
    created_at: testTime,
    decided_at: null,
    decided_by: null,
    ...more,
  }
}

function testCase(id: number, more: Partial<Case> = {}): Case {
  return {
    target_kind: 'video',
    target_id: id,
    video_id: id,
    bookmark_id: null,
    user: testUser(3, 'ana'),
    title: `Film ${id}`,
    thumbnail_url: null,
    orientation: 'sfw',
    state: 'hidden',
    is_held: false,
    reports_count: 1,
    types: ['spam'],
    first_report_id: id * 10,
    first_at: testTime,
    last_at: testTime,
    claim: null,
    ...more,
  }
}

export function testCaseDetails(id: number, more: Partial<CaseDetails> = {}): CaseDetails {
  const reports = more.reports ?? [testReport(id * 10, { target_id: id, video_id: id })]
  return {
    case: testCase(id, {
      types: [...new Set(reports.map((report) => report.report_type))],
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
      embed_url: null,
      uploader_name: null,
      provider: null,
      saves_count: 1,
      created_at: testTime,
    },
    reports,
    decisions: [],
    ...more,
  }
}
