import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import {
  decideLinkProposal,
  type LinkProposal,
  listLinkProposals,
} from '@reelmark/contract/link-proposals.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../shared/api/api.ts'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { focusBeyond } from '../../ui/focus-beyond.ts'
import { toast } from '../../ui/toast.tsx'
import { invalidateBookmarks, ProposedLink } from '../bookmarks/public-api.ts'

/** The links that others propose for the video that the viewer's bookmark leads. Browser only. */
function linkProposalsQuery(id: number) {
  return queryOptions({
    queryKey: ['link-proposals', id] as const,
    queryFn: async ({ signal }) => (await api(listLinkProposals, { params: { id } }, { signal })).results,
  })
}

export const replacedForEveryoneText = 'Link replaced for everyone. Bookmarks move within a few minutes.'

/** Asks the owner of the lead bookmark whether a proposed link replaces that of the video for everyone. */
export function LinkProposals({ bookmark }: { bookmark: Bookmark }) {
  const { data: proposals = [] } = useQuery(linkProposalsQuery(bookmark.id))
  if (proposals.length === 0) return null
  return (
    <section aria-label="Proposed links" className="mt-1">
      <p className="font-medium text-ink">Someone proposes another link for everyone who saved this:</p>
      <ul className="flex flex-col gap-3">
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <Proposal proposal={proposal} bookmark={bookmark} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Proposal({ proposal, bookmark }: { proposal: LinkProposal; bookmark: Bookmark }) {
  const client = useQueryClient()
  const element = useRef<HTMLDivElement>(null)
  const decide = useApiMutation(decideLinkProposal, {
    onSuccess({ status }) {
      // The buttons disappear with the proposal.
      focusBeyond(element.current)
      invalidateBookmarks(client)
      toast(status === 'approved' ? replacedForEveryoneText : 'Proposal rejected.', { tone: 'success' })
    },
  })
  const send = (agrees: boolean) => void decide.run({ params: { id: proposal.id }, body: { agrees } })
  return (
    <div ref={element} className="flex flex-col items-start gap-2">
      <ProposedLink proposal={proposal} orientation={bookmark.video.orientation} />
      <ErrorNotice text={decide.errorText} />
      <div className="flex flex-wrap gap-2">
        <Button tone="accent" size="sm" busy={decide.busy} onClick={() => send(true)}>
          Use it for everyone
        </Button>
        <Button size="sm" busy={decide.busy} onClick={() => send(false)}>
          Reject
        </Button>
      </div>
    </div>
  )
}
