import type { OwnDecision } from '@reelmark/contract/reports.ts'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { formatDateTime } from '../../../shared/session/report-suspension.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { AppealForm } from '../appeals/appeal-form.tsx'
import { decisionAnchor } from './decision-anchor.ts'
import { decisionText } from './decision-labels.ts'

/** Shows a decision with its reason, statement and end, and its appeal. */
export function DecisionItem({ decision }: { decision: OwnDecision }) {
  const { id, statement, created_at, until, is_undone, can_appeal, appeal } = decision
  const item = useRef<HTMLLIElement>(null)
  const [button, focusButton] = useFocusAfter<HTMLButtonElement>()
  const [isWriting, setWriting] = useState(false)
  const isTarget = useLocation({ select: ({ hash }) => hash === decisionAnchor(id) })
  useEffect(() => {
    if (!isTarget) return
    item.current?.scrollIntoView?.({ block: 'center' })
    item.current?.focus({ preventScroll: true })
  }, [isTarget])

  return (
    <li
      ref={item}
      id={decisionAnchor(id)}
      tabIndex={-1}
      className={`flex flex-col gap-3 px-4 py-4 ${isTarget ? 'bg-hover' : ''}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-60 flex-1 text-14 font-medium text-ink wrap-anywhere">{decisionText(decision)}</p>
        <StateBadge decision={decision} />
      </div>
      <p className="-mt-2 flex flex-wrap gap-x-3 text-13 text-quiet">
        <RelativeTime time={created_at} />
        {until !== null && !is_undone && <span>Until {formatDateTime(until)}</span>}
      </p>
      {statement !== '' && <QuotedText heading="The moderator wrote">{statement}</QuotedText>}
      {appeal !== null && (
        <>
          <QuotedText heading="You appealed">{appeal.text}</QuotedText>
          {appeal.status === 'open' ? (
            <p className="text-13 text-quiet">A moderator will review your appeal and we'll notify you.</p>
          ) : (
            <QuotedText
              heading={appeal.status === 'granted' ? 'Your appeal was granted' : 'Your appeal was rejected'}
            >
              {appeal.answer}
            </QuotedText>
          )}
        </>
      )}
      {can_appeal &&
        (isWriting ? (
          <AppealForm
            decisionId={id}
            onDone={() => {
              setWriting(false)
              item.current?.focus()
            }}
            onCancel={() => {
              setWriting(false)
              focusButton()
            }}
          />
        ) : (
          <Button ref={button} size="sm" className="self-start" onClick={() => setWriting(true)}>
            Appeal
          </Button>
        ))}
    </li>
  )
}

function StateBadge({ decision: { is_undone, appeal } }: { decision: OwnDecision }) {
  if (appeal?.status === 'open') return <Badge tone="accent">Appeal in review</Badge>
  if (appeal?.status === 'granted') return <Badge tone="success">Appeal granted</Badge>
  if (is_undone) return <Badge tone="success">Reversed</Badge>
  if (appeal?.status === 'rejected') return <Badge>Appeal rejected</Badge>
  return null
}

/** Shows a quotation below its heading; shows only the heading if the quotation is empty. */
function QuotedText({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="text-14">
      <p className="text-13 font-medium text-quiet">
        {heading}
        {children === '' ? '.' : ':'}
      </p>
      {children !== '' && (
        <blockquote className="mt-1 border-l-2 border-line-strong pl-3 whitespace-pre-line text-ink wrap-anywhere">
          {children}
        </blockquote>
      )}
    </div>
  )
}
