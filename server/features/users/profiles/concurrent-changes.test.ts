import { createComment } from '@reelmark/contract/comments.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { expect, test } from 'vitest'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice } = await useSite()

test('concurrent changes of one profile, while its user writes comments, all succeed', async () => {
  const { video } = await saveFilm(site, alice, 1)
  const calls = Array.from({ length: 400 }, (_, n) =>
    n % 2 === 0
      ? site.call(updateProfile, { params: { username: alice.username }, body: { bio: `bio ${n}` } }, alice)
      : site.call(createComment, { params: { id: video.id }, body: { content: `comment ${n}` } }, alice),
  )
  const failed = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
  expect(failed).toEqual([])
})
