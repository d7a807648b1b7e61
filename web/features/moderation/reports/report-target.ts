import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { createReport, ReportType, TargetKind } from '@reelmark/contract/reports.ts'

/** The content to report. */
export interface ReportTarget {
  kind: TargetKind
  /** The id of the video, comment or user. */
  id: number
  /** The bookmark through which the viewer sees the video. */
  bookmarkId?: number
  /**
   * The token of the secret link by which the viewer sees the bookmark. With the kind `user`, the report is about the
   * collection of the link, and `id` is that of its owner.
   */
  linkToken?: string
  /** The reason that is preselected. */
  reportType?: ReportType
  /** The dialog's title. */
  title: string
  /** The name of the content, shown below a title that does not contain it. */
  name?: string
}

type ReportBody = Input<typeof createReport>['body']

/** Returns the fields of the request that identify the target. */
export function reportBodyFor({
  kind,
  id,
  bookmarkId,
  linkToken,
}: ReportTarget): Omit<ReportBody, 'report_type'> {
  const link = linkToken === undefined ? {} : { link_token: linkToken }
  const bodies = {
    video: { video_id: id, bookmark_id: bookmarkId ?? null, ...link },
    comment: { comment_id: id },
    user: linkToken === undefined ? { user_id: id } : link,
  }
  return bodies[kind]
}
