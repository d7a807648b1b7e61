import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { createReport, TargetKind } from '@reelmark/contract/reports.ts'

/** What is reported. */
export interface ReportTarget {
  kind: TargetKind
  /** Of the video, the comment or the user. */
  id: number
  /** The bookmark of the video that is looked at. */
  bookmarkId?: number
  /** The dialog's title. */
  title: string
  /** What it is called. */
  name: string
}

type ReportBody = Input<typeof createReport>['body']

/** How a report names what it is about. */
export function reportBodyFor({ kind, id, bookmarkId }: ReportTarget): Omit<ReportBody, 'report_type'> {
  const named = {
    video: { video_id: id, bookmark_id: bookmarkId ?? null },
    comment: { comment_id: id },
    user: { user_id: id },
  }
  return named[kind]
}
