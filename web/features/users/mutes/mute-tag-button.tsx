import { createMute, listMutes, type Mute } from '@reelmark/contract/mutes.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import { api } from '../../../shared/api/api.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import { chipClass } from '../../../ui/chip.tsx'
import { toast } from '../../../ui/toast.tsx'
import { endMute } from '../blocks/block-and-mute-calls.ts'

/** The viewer's mute of a tag; null if it is not muted. */
function mutedTagQuery(tag: string) {
  return queryOptions({
    queryKey: ['mutes', 'tag', tag] as const,
    queryFn: async ({ signal }): Promise<Mute | null> =>
      (await api(listMutes, { query: { tag, page_size: 1 } }, { signal })).results[0] ?? null,
  })
}

/** Mutes or unmutes a tag in listings, for signed-in users. */
export function MuteTagButton({ tag }: { tag: string }) {
  const client = useQueryClient()
  const { queryKey } = mutedTagQuery(tag)
  const { data } = useQuery(mutedTagQuery(tag))
  const { isOn, toggle } = useOptimisticToggle<{ mute: Mute | null }>({
    isOn: data != null,
    send: async (on) => ({
      mute: on ? await api(createMute, { body: { tag } }) : data == null ? null : await endMute(data.id),
    }),
    getIsOn: (reply) => reply.mute !== null,
    onReply: (reply) => {
      client.setQueryData(queryKey, reply.mute)
      void client.invalidateQueries({ queryKey: ['mutes', 'list'] })
      void client.invalidateQueries({ queryKey: ['videos'] })
      toast(
        reply.mute === null ? `${tag} unmuted.` : `${tag} muted. You won't see it in Explore or your feed.`,
        { tone: 'success' },
      )
    },
    onFailure: () =>
      void toast(`Couldn't ${data == null ? 'mute' : 'unmute'} the tag. Try again.`, { tone: 'danger' }),
  })
  if (data === undefined) return null
  const Icon = isOn ? Volume2 : VolumeX
  return (
    <button type="button" className={chipClass} onClick={toggle}>
      <Icon className="size-3.5" />
      {isOn ? 'Unmute this tag' : 'Mute this tag'}
    </button>
  )
}
