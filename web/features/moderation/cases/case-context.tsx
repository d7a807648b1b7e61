import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ExternalLink from 'lucide-react/icons/external-link'
import type { ReactNode } from 'react'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { MultilineText } from '../../../ui/multiline-text.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import { bookmarkQuery } from '../../bookmarks/public-api.ts'
import { Player } from '../../videos/public-api.ts'
import { userHistoryQuery } from '../queries.ts'
import { RecentActivity, UserStatistics } from '../sanctions/user-history-sections.tsx'
import type { CaseDetails } from './case-approval.ts'

/** Shows the reported content: the video with its player, the comment with its video, or the user's history. */
export function CaseContext({ details: caseDetails }: { details: CaseDetails }) {
  const { case: reportedCase, content, video } = caseDetails
  if (reportedCase.target_kind === 'user')
    return reportedCase.user === null ? null : <UserSummary username={reportedCase.user.username} />
  return (
    <div className="flex flex-col gap-4">
      {reportedCase.target_kind === 'comment' && (
        <figure className="rounded-card border border-line bg-raised px-4 py-3">
          <blockquote>
            <MultilineText text={content ?? reportedCase.title} />
          </blockquote>
          {reportedCase.user !== null && (
            <figcaption className="mt-2 text-13 text-quiet">
              {reportedCase.user.username}
              {content === null && ' · original version'}
            </figcaption>
          )}
        </figure>
      )}
      {reportedCase.is_held && reportedCase.bookmark_id !== null && (
        <HeldBookmark id={reportedCase.bookmark_id} />
      )}
      {video !== null && <CasePlayer details={caseDetails} video={video} />}
      {video !== null && <VideoFacts caseDetails={caseDetails} video={video} />}
    </div>
  )
}

/** Shows the bookmark that a content rule holds. Its texts may differ from the video's. */
function HeldBookmark({ id }: { id: number }) {
  const { data, isError } = useQuery(bookmarkQuery(id))
  if (isError) return null
  if (data === undefined) {
    return <div role="status" aria-label="Loading held bookmark" className="skeleton h-27 rounded-card!" />
  }
  return (
    <section aria-label="Held bookmark" className="rounded-card border border-line bg-raised px-4 py-3">
      <h3 className="text-13 font-medium text-quiet">Held bookmark</h3>
      <p className="mt-1 text-14 font-medium wrap-anywhere text-ink">{data.title || data.video.title}</p>
      {data.description !== '' && (
        <p className="measure mt-1 text-14 wrap-anywhere whitespace-pre-line text-ink">{data.description}</p>
      )}
      {data.tags.length > 0 && (
        <p className="mt-1 text-13 wrap-anywhere text-quiet">
          {data.tags.map(({ name }) => `#${name}`).join(' ')}
        </p>
      )}
    </section>
  )
}

type Video = NonNullable<CaseDetails['video']>

/** Shows the player if a bookmark of the video is accessible, else the thumbnail. */
function CasePlayer({ details: { case: reportedCase }, video }: { details: CaseDetails; video: Video }) {
  const { data } = useQuery({
    ...bookmarkQuery(reportedCase.bookmark_id ?? 0),
    enabled: reportedCase.bookmark_id !== null,
  })
  const consent = useAdultConsent()
  const isCovered = isAdult(video.orientation) && !consent
  if (reportedCase.bookmark_id !== null && data !== undefined && video.status !== 'removed') {
    return <Player bookmark={data} title={video.title} />
  }
  return (
    <ThumbnailFrame src={isCovered ? null : video.thumbnail_url} title={video.title} className="rounded-card">
      {isCovered && <AdultCover title={video.title} />}
    </ThumbnailFrame>
  )
}

function VideoFacts({
  caseDetails: { case: reportedCase },
  video,
}: {
  caseDetails: CaseDetails
  video: Video
}) {
  const search = reportedCase.target_kind === 'comment' ? { comment: reportedCase.target_id } : {}
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-2 text-14">
      {(reportedCase.target_kind === 'comment' || reportedCase.is_held) && (
        <Fact name="Video">{video.title}</Fact>
      )}
      <Fact name="Source">
        <a
          href={video.source_url}
          target="_blank"
          rel="nofollow ugc noopener noreferrer"
          className="inline-flex max-w-full items-center gap-1.5 text-accent-ink underline underline-offset-4"
        >
          <span className="truncate">{video.source_url.replace(/^https?:\/\/(www\.)?/, '')}</span>
          <ExternalLink className="size-3.5 shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      </Fact>
      <Fact name="Orientation">{orientationLabels[video.orientation]}</Fact>
      <Fact name="Saved">
        {pluralise(video.saves_count, 'save')} · first on {formatDate(video.created_at)}
      </Fact>
      {video.tags.length > 0 && <Fact name="Tags">{video.tags.map((tag) => `#${tag}`).join(' ')}</Fact>}
      {video.description !== '' && (
        <Fact name="About">
          <span className="line-clamp-4 whitespace-pre-line">{video.description}</span>
        </Fact>
      )}
      {reportedCase.bookmark_id !== null && reportedCase.state !== 'removed' && (
        <Fact name="Page">
          <Link
            to="/bookmarks/$id"
            params={{ id: String(reportedCase.bookmark_id) }}
            search={search as never}
            className="text-accent-ink underline underline-offset-4"
          >
            Open the bookmark
          </Link>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
    </>
  )
}

function UserSummary({ username }: { username: string }) {
  const { data, isError } = useQuery(userHistoryQuery(username))
  if (isError) return <p className="text-14 text-quiet">Couldn't load this user's history.</p>
  if (data === undefined) {
    return (
      <div role="status" aria-label="Loading the history" className="flex flex-col gap-3">
        <SkeletonLine className="h-16" />
        <SkeletonLine className="w-2/3" />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <UserStatistics history={data} />
      <RecentActivity history={data} />
    </div>
  )
}
