/** Comments on a user's own video and mentions: who is notified of what, and what a text links. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { createComment, createReply, editComment, listComments } from '@reelmark/contract/comments.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useNotificationSite } from './notified-users.fixture.ts'

const { site, signUpNotifiedUsers, filmName, listFor, countUnreadFor } = await useNotificationSite()
let alice: TestUser
let bob: TestUser
let cyd: TestUser
let videoId: number
beforeEach(async () => {
  ;({ alice, bob, cyd } = await signUpNotifiedUsers())
  videoId = (await saveFilm(site, alice, filmName('film'))).video.id
})

const comment = (user: TestUser, content: string) =>
  site.call(createComment, { params: { id: videoId }, body: { content } }, user)
const reply = (user: TestUser, id: number, content: string) =>
  site.call(createReply, { params: { id }, body: { content } }, user)
const kindsFor = async (user: TestUser) => (await listFor(user)).results.map(({ kind }) => kind)
const configure = (user: TestUser, body: object) =>
  site.call(updateProfile, { params: { username: user.username }, body }, user)

describe('a comment', () => {
  test('notifies the user who saved the video first, grouped, and nobody of their own comment', async () => {
    await comment(alice, 'Mine')
    await comment(bob, 'Lovely')
    await comment(cyd, 'Indeed')
    const { results } = await listFor(alice)
    expect(results).toMatchObject([{ kind: 'comment', actors_count: 2, comment: { excerpt: 'Indeed' } }])
    expect(await kindsFor(bob)).toEqual([])
  })

  test('notifies a mentioned user, once if it also replies to them', async () => {
    const { id, mentions } = await comment(bob, `Look @${cyd.username.toUpperCase()}, it is good.`)
    expect(mentions).toEqual([cyd.username])
    expect(await listFor(cyd)).toMatchObject({
      results: [{ kind: 'mention', comment: { id }, actors: [{ username: bob.username }] }],
    })
    await reply(cyd, id, `Thanks @${bob.username}.`)
    expect(await kindsFor(bob)).toEqual(['reply'])
  })

  test('does not notify again when it is edited, and its notification ends with the mention', async () => {
    const { id } = await comment(bob, `Look @${cyd.username}`)
    const edit = (content: string) => site.call(editComment, { params: { id }, body: { content } }, bob)
    expect((await edit(`Look @${alice.username}`)).mentions).toEqual([alice.username])
    expect(await kindsFor(cyd)).toEqual([])
    expect(await countUnreadFor(cyd)).toBe(0)
    expect(await kindsFor(alice)).toEqual(['comment'])
  })

  test('notifies at most ten users of those it mentions', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, (_, n) => signUp(site, filmName(`many${n}x`))))
    const { mentions } = await comment(bob, users.map(({ username }) => `@${username}`).join(' '))
    expect(mentions).toHaveLength(10)
    const counts = await Promise.all(users.map(countUnreadFor))
    expect(counts).toEqual([...Array(10).fill(1), 0, 0])
  })

  test('does not link e-mail addresses, paths, unknown names and users who registered later', async () => {
    const later = `${filmName('later')}`
    const { mentions } = await comment(
      bob,
      `${cyd.username}@${alice.username} https://x.example/@${cyd.username} @nobody-at-all @${later}`,
    )
    await signUp(site, later)
    expect(mentions).toEqual([])
    const { results } = await site.call(listComments, { params: { id: videoId }, query: {} }, bob)
    expect(results).toMatchObject([{ mentions: [] }])
  })

  test('mentions no user whom a block or mute separates', async () => {
    await site.call(blockUser, { params: { id: bob.id } }, cyd)
    expect((await comment(bob, `Hello @${cyd.username}`)).mentions).toEqual([])
    expect(await kindsFor(cyd)).toEqual([])
    const dan = await signUp(site, filmName('dan'))
    await site.call(createMute, { body: { user_id: bob.id } }, dan)
    await comment(bob, `Hello @${dan.username}`)
    expect(await kindsFor(dan)).toEqual([])
    // The owner of the lead bookmark blocked Eve, who may not see the video through it.
    const eve = await signUp(site, filmName('eve'))
    await site.call(blockUser, { params: { id: eve.id } }, alice)
    await comment(bob, `Hello @${eve.username}`)
    expect(await kindsFor(eve)).toEqual([])
  })
})

describe('a description', () => {
  const save = (name: string, access: 'public' | 'private') =>
    saveFilm(site, bob, filmName(name), {
      bookmark: { access, description: `For @${cyd.username}` },
    })

  test('notifies the users it mentions and links to the bookmark, while it is public', async () => {
    await saveFilm(site, alice, filmName('shared'))
    const { id } = await save('shared', 'public')
    expect((await listFor(cyd)).results).toMatchObject([{ kind: 'mention', bookmark: { id }, comment: null }])
    expect((await site.call(getBookmark, { params: { id } })).mentions).toEqual([cyd.username])
    await site.db`update bookmarks set access = 'private' where id = ${id}`
    expect(await kindsFor(cyd)).toEqual([])
  })

  test('notifies only users whom its author mentions, not those whom the page of the video mentions', async () => {
    const onPage = `Follow @${cyd.username} on our channel!`
    const fromPage = { video: { description: onPage } }
    await saveFilm(site, bob, filmName('taken'), fromPage)
    await saveFilm(site, bob, filmName('unchanged'), { ...fromPage, bookmark: { description: onPage } })
    const edited = `${onPage.toUpperCase()} Seen with @${alice.username}`
    const { id } = await saveFilm(site, bob, filmName('edited'), {
      ...fromPage,
      bookmark: { description: edited },
    })
    expect(await kindsFor(cyd)).toEqual([])
    expect((await listFor(alice)).results).toMatchObject([{ kind: 'mention', bookmark: { id } }])
  })

  test('notifies a user of whose name the page only has a longer one', async () => {
    const onPage = `Follow @${cyd.username}berly and @x${cyd.username}, and write to mail@${cyd.username}.example.`
    await saveFilm(site, bob, filmName('longer'), {
      video: { description: onPage },
      bookmark: { description: `${onPage} Seen with @${cyd.username}` },
    })
    expect(await kindsFor(cyd)).toEqual(['mention'])
  })

  test('of a private bookmark notifies no user', async () => {
    await save('private', 'private')
    expect(await kindsFor(cyd)).toEqual([])
  })
})

describe('the switches of a kind', () => {
  test('are separate for the bell and for mail', async () => {
    await configure(alice, { notify_on_comment: false, notify_by_email: 'daily' })
    await comment(bob, 'Only by mail')
    expect([await kindsFor(alice), await countUnreadFor(alice)]).toEqual([[], 0])
    const rows = () =>
      site.db`select in_bell, in_mail from notifications where user_id = ${alice.id} and kind = 'comment'`
    expect(await rows()).toEqual([{ in_bell: false, in_mail: true }])
    await configure(alice, { notify_on_comment: true, mail_on_comment: false })
    await comment(cyd, 'Only here')
    expect(await kindsFor(alice)).toEqual(['comment'])
    await configure(cyd, { notify_on_mention: false, mail_on_mention: false })
    await comment(bob, `Hello @${cyd.username}`)
    expect(await kindsFor(cyd)).toEqual([])
  })
})
