import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { createReport, TargetKind } from '@reelmark/contract/reports.ts'

/** The content to report. */
export interface ReportTarget {
  kind: TargetKind
  /** The id of the video, comment or user. */
  id: number
  /** The bookmark through which the viewer sees the video. */
  bookmarkId?: number
  /** The dialog's title. */
  title: string
  /** The name of the content. */
  name: string
}

type ReportBody = Input<typeof createReport>['body']

/** Returns the fields of the request that identify the target. */
export function reportBodyFor({ kind, id, bookmarkId }: ReportTarget): Omit<ReportBody, 'report_type'> {
  const bodies = {
    video: { video_id: id, bookmark_id: bookmarkId ?? null },
    comment: { comment_id: id },
    user: { user_id: id },
  }
  return bodies[kind]
}
