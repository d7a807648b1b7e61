import type { Case } from '@reelmark/contract/cases.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { Link } from '@tanstack/react-router'
import Eye from 'lucide-react/icons/eye'
import Flag from 'lucide-react/icons/flag'
import MessageSquare from 'lucide-react/icons/message-square'
import UserRound from 'lucide-react/icons/user-round'
import { useEffect, useRef } from 'react'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import {
  caseStateLabel,
  reportTypeLabels,
  severeReportTypes,
  targetKindLabels,
} from '../moderation-labels.ts'
import { type CaseSearch, caseKeyText } from './case-search.ts'

/** Scrolls the list before the page, so that the rest of the page moves as little as possible. */
function scrollIntoList(row: HTMLElement): void {
  const list = row.parentElement
  const { top, bottom } = row.getBoundingClientRect()
  if (list !== null) {
    const listRect = list.getBoundingClientRect()
    list.scrollTop +=
      Math.min(0, top - listRect.top) + Math.max(0, bottom - Math.min(listRect.bottom, innerHeight))
  }
  row.scrollIntoView({ block: 'nearest' })
}

interface CaseRowProps {
  item: Case
  search: CaseSearch
  isOpen: boolean
  isSelected: boolean
  onSelect: () => void
}

/** A case in the list: a link that covers the row, and a checkbox to select it. */
export function CaseRow({ item, search, isOpen, isSelected, onSelect }: CaseRowProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen && row.current !== null) scrollIntoList(row.current)
  }, [isOpen])
  const { claim } = item
  return (
    <li
      ref={row}
      className={`relative flex items-start gap-1 py-3 pr-3 transition-colors ${isOpen ? 'bg-hover before:absolute before:inset-y-0 before:left-0 before:w-0.75 before:bg-accent' : 'hover:bg-hover/60'}`}
    >
      <label className="relative z-10 -my-1 flex size-11 shrink-0 cursor-pointer items-center justify-center">
        <span className="sr-only">Select {caseTitle(item)}</span>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={onSelect}
          className="size-4.5 cursor-pointer accent-accent"
        />
      </label>
      <CaseThumbnail item={item} />
      <div className="ml-2 min-w-0 flex-1">
        <Link
          to="/moderator"
          search={{ ...search, case: caseKeyText(item) }}
          aria-current={isOpen || undefined}
          className="line-clamp-2 text-14 font-medium wrap-anywhere text-ink outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          {caseTitle(item)}
        </Link>
        <p className="mt-1 flex flex-wrap gap-1">
          {item.types.map((type) => (
            <Badge key={type} tone={severeReportTypes.includes(type) ? 'danger' : 'quiet'}>
              {reportTypeLabels[type]}
            </Badge>
          ))}
        </p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-12 text-quiet">
          <span className="inline-flex items-center gap-1 tabular-nums">
            <Flag className="size-3.5" />
            {item.reports_count}
            <span className="sr-only">{item.reports_count === 1 ? ' report' : ' reports'}</span>
          </span>
          <span>{targetKindLabels[item.target_kind]}</span>
          <RelativeTime time={item.first_at} />
          {(item.state !== 'visible' || item.is_held) && (
            <span>{item.state === 'hidden' ? 'Hidden' : caseStateLabel(item)}</span>
          )}
        </p>
        {claim !== null && !claim.is_own && (
          <p className="mt-1 inline-flex items-center gap-1.5 text-12 text-accent-ink">
            <Eye className="size-3.5" />
            {claim.moderator.username} is looking at this
          </p>
        )}
      </div>
    </li>
  )
}

export function caseTitle({ title, target_kind }: Pick<Case, 'title' | 'target_kind'>): string {
  return title || `Untitled ${targetKindLabels[target_kind].toLowerCase()}`
}

const thumbnailClass =
  'flex size-10 shrink-0 items-center justify-center rounded-control bg-sunken text-quiet'

function CaseThumbnail({ item }: { item: Case }) {
  const consent = useAdultConsent()
  if (item.target_kind === 'video') {
    const isCovered = item.orientation !== null && isAdult(item.orientation) && !consent
    return (
      <ThumbnailFrame
        src={isCovered ? null : item.thumbnail_url}
        title={item.title}
        className="mt-0.5 w-20 shrink-0 rounded-control"
      >
        {isCovered && <AdultCover title={item.title} />}
      </ThumbnailFrame>
    )
  }
  if (item.target_kind === 'user' && item.user !== null) return <Avatar src={item.user.avatar_url} />
  const Icon = item.target_kind === 'user' ? UserRound : MessageSquare
  return (
    <span className={thumbnailClass}>
      <Icon className="size-5" />
    </span>
  )
}
