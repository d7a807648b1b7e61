import { useSession } from '../../../shared/session/session.ts'
import { MuteTagButton } from '../mutes/mute-tag-button.tsx'
import { FollowTagChip } from './follow-tag-chip.tsx'

/** The actions on a tag: to follow it, also for visitors, and to mute it. */
export function TagActions({ tag }: { tag: string }) {
  const { status } = useSession()
  return (
    <>
      <FollowTagChip tag={tag} />
      {status === 'signed-in' && <MuteTagButton tag={tag} />}
    </>
  )
}
