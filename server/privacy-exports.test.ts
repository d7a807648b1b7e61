/** Exports contain everything of their user, and of others only what these share with members. */
import { defaultPrivacy, type PrivacySettings } from '@reelmark/contract/privacy-settings.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { afterEach, expect, test } from 'vitest'
import { exportAccount } from './features/transfer/full-account.fixture.ts'
import { createPrivacyScene } from './privacy-scene.fixture.ts'
import { useEmptySite } from './testing/use-site.ts'

const site = await useEmptySite({ work: true })
const { owen, cara, finn, change } = await createPrivacyScene(site)
afterEach(() => change(defaultPrivacy))

const hidden: Partial<PrivacySettings>[] = [
  { profile_visibility: 'only_me' },
  { likes_visibility: 'only_me' },
  { following_visibility: 'only_me' },
  { followers_visibility: 'only_me' },
  { collector_visibility: 'only_me' },
]
const hideAll: Partial<PrivacySettings> = Object.assign({}, ...hidden)

test.each([{}, ...hidden])(
  'exports of others name a user with the settings %j as a follower or not at all',
  async (settings) => {
    await change(settings)
    const { followers, ...others } = await exportAccount(site, cara)
    const sharesFollows = !('profile_visibility' in settings || 'following_visibility' in settings)
    expect(followers?.map(({ username }) => username)).toEqual(sharesFollows ? ['owen'] : [])
    // Neither likes nor saves of Cara's film name who likes or saved it.
    expect(JSON.stringify(others)).not.toContain('owen')
  },
)

test('users export what they hide from others', async () => {
  const { exported_at: _, profile, ...shared } = await exportAccount(site, owen)
  expect(shared).toMatchObject({
    likes: [{ source_url: 'https://films.example.org/watch/1' }],
    following: [{ username: 'cara' }],
    followers: [{ username: 'finn' }],
    bookmarks: [{ title: 'Walrus' }],
  })
  await change(hideAll)
  const own = await exportAccount(site, owen)
  expect(own).toMatchObject(shared)
  expect(own.profile).toEqual({ ...profile, ...hideAll })
})

test('users export whom they follow, also if these hide it, but no followers who hide whom they follow', async () => {
  await change(hideAll)
  expect((await exportAccount(site, finn)).following).toMatchObject([{ username: 'owen' }])
  const body = { following_visibility: 'only_me' as const }
  await site.call(updateProfile, { params: { username: 'finn' }, body }, finn)
  expect((await exportAccount(site, owen)).followers).toEqual([])
})
