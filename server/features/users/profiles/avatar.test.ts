import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { getProfile, type Profile } from '@reelmark/contract/profiles.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openCorpus } from '../../../testing/corpora.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { vaultDestination } from '../../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
})

type Fields = Record<string, string | Blob>

function toForm(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** Sends a form the way a browser does. */
async function send(
  form: FormData,
  { as = alice, to = alice.username }: { as?: TestUser | null; to?: string } = {},
) {
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  return sendBytes(Buffer.from(await request.arrayBuffer()), request.headers.get('content-type') ?? '', {
    as,
    to,
  })
}

const sendBytes = (
  payload: Buffer | string,
  type: string,
  { as = alice, to = alice.username }: { as?: TestUser | null; to?: string } = {},
) =>
  site.app.inject({
    method: 'PATCH',
    url: `/api/profile/${to}/`,
    headers: { 'content-type': type, ...(as !== null && { authorization: `Bearer ${as.access}` }) },
    payload,
  })

const update = async (fields: Fields) => {
  const reply = await send(toForm(fields))
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Profile>()
}

async function createPicture(colour = 'orange', width = 600, height = 300): Promise<Blob> {
  const png = sharp({ create: { width, height, channels: 3, background: colour } })
  return new Blob([Uint8Array.from(await png.png().toBuffer())], { type: 'image/png' })
}

const readProfile = () => site.call(getProfile, { params: { username: alice.username } }, alice)
const fetchFile = (url: string) => site.app.inject(url)
/** Returns the files in the media store. */
const listFiles = async () =>
  (await readdir(path.join(site.settings.dataDir, 'media'), { recursive: true }).catch(() => []))
    .filter((name) => name.endsWith('.webp'))
    .map((name) => path.basename(name))

test('a form changes the given fields only, and the response is the whole profile', async () => {
  const before = await readProfile()
  const { collection_id } = await vaultDestination(site, alice)
  const form = {
    bio: '  I like long walks. 🎬 ',
    default_bookmark_orientation: 'gay',
    default_bookmark_collection: String(collection_id),
    notify_on_follow: 'false',
    notify_on_own_video_bookmarked: 'true',
    notify_on_new_bookmark_from_followed_user: 'false',
    notify_on_own_video_liked: 'false',
  }
  const changes = {
    bio: 'I like long walks. 🎬',
    default_bookmark_orientation: 'gay',
    default_bookmark_collection: collection_id,
    notify_on_follow: false,
    notify_on_new_bookmark_from_followed_user: false,
    notify_on_own_video_liked: false,
  }
  expect(await update(form)).toEqual({ ...before, ...changes })
  expect(await readProfile()).toEqual({ ...before, ...changes })
  expect(await update({ default_bookmark_collection: '', bio: '' })).toMatchObject({
    bio: '',
    default_bookmark_collection: null,
  })
  expect((await update({ bio: 'one\ntwo' })).bio).toBe('one\ntwo')
  const bio = '🎬'.repeat(500)
  expect((await update({ bio })).bio).toBe(bio)
})

test('an avatar is converted to a WebP of 256 by 256 pixels, visible to everyone', async () => {
  const { avatar_url } = await update({ avatar: await createPicture(), bio: 'with a face' })
  expect(avatar_url).toMatch(/^\/media\/[0-9a-f]{40}\.webp$/)
  const reply = await fetchFile(avatar_url)
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/webp'])
  const { width, height, format } = await sharp(reply.rawPayload).metadata()
  expect([width, height, format]).toEqual([256, 256, 'webp'])
  const seen = await site.call(getProfile, { params: { username: alice.username } })
  expect(seen).toMatchObject({ avatar_url, bio: 'with a face' })
})

test('a small picture is enlarged to the same size', async () => {
  const { avatar_url } = await update({ avatar: await createPicture('red', 20, 30) })
  expect(await sharp((await fetchFile(avatar_url)).rawPayload).metadata()).toMatchObject({
    width: 256,
    height: 256,
  })
})

test('the file of the previous avatar is deleted when it is replaced or removed', async () => {
  const before = (await listFiles()).length
  const first = await update({ avatar: await createPicture('red') })
  const second = await update({ avatar: await createPicture('blue') })
  expect((await fetchFile(first.avatar_url)).statusCode).toBe(404)
  expect((await fetchFile(second.avatar_url)).statusCode).toBe(200)
  expect(await listFiles()).toHaveLength(before + 1)
  // Neither omitting the field nor a file input without a file changes the avatar.
  expect((await update({ bio: 'x', avatar: new File([], '') })).avatar_url).toBe(second.avatar_url)
  expect((await update({ avatar: '' })).avatar_url).toBe('/media/default.jpg')
  expect((await fetchFile(second.avatar_url)).statusCode).toBe(404)
  expect(await listFiles()).toHaveLength(before)
  await update({ avatar: await createPicture('green') })
  const reply = await sendBytes(JSON.stringify({ avatar: null }), 'application/json')
  expect(reply.json()).toMatchObject({ avatar_url: '/media/default.jpg' })
  expect(await listFiles()).toHaveLength(before)
})

test('the same picture of two users is stored as two files, so that replacing one keeps the other', async () => {
  const bob = await signUp(site, `Bob${userCount}`)
  const ofAlice = await update({ avatar: await createPicture() })
  const reply = await send(toForm({ avatar: await createPicture() }), { as: bob, to: bob.username })
  const bobUrl = reply.json<Profile>().avatar_url
  expect(bobUrl).not.toBe(ofAlice.avatar_url)
  await update({ avatar: '' })
  expect((await fetchFile(bobUrl)).statusCode).toBe(200)
})

test('of several concurrent uploads one file remains', async () => {
  const before = (await listFiles()).length
  const colours = ['red', 'green', 'blue', 'white', 'black']
  await Promise.all(colours.map(async (colour) => update({ avatar: await createPicture(colour) })))
  expect((await fetchFile((await readProfile()).avatar_url)).statusCode).toBe(200)
  expect(await listFiles()).toHaveLength(before + 1)
})

test('deleting an account deletes its avatar', async () => {
  const before = (await listFiles()).length
  await update({ avatar: await createPicture() })
  await site.call(deleteAccount, { body: { password: alice.password } }, alice)
  expect(await listFiles()).toHaveLength(before)
})

test('the avatar of another user cannot be changed, and a refused upload is not stored', async () => {
  const bob = await signUp(site, `Bob${userCount}`)
  const before = (await listFiles()).length
  const form = async () => toForm({ avatar: await createPicture() })
  expect((await send(await form(), { as: bob })).statusCode).toBe(403)
  expect((await send(await form(), { as: null })).statusCode).toBe(401)
  expect((await send(await form(), { to: 'nobody' })).statusCode).toBe(404)
  const refused = await send(toForm({ avatar: await createPicture(), default_bookmark_collection: '999999' }))
  expect(refused.json()).toEqual({
    code: 'invalid',
    default_bookmark_collection: ['Invalid pk "999999" - object does not exist.'],
  })
  expect((await readProfile()).avatar_url).toBe('/media/default.jpg')
  expect(await listFiles()).toHaveLength(before)
})

test.each<[string, string, string]>([
  ['bio', 'x'.repeat(501), 'Must be 500 characters or fewer.'],
  ['bio', 'x'.repeat(40_000), 'Must be 500 characters or fewer.'],
  ['bio', 'a\0b', "This contains characters we can't store."],
  ['default_bookmark_orientation', 'landscape', 'Not a valid choice.'],
  ['default_bookmark_collection', 'seven', 'A valid integer is required.'],
  ['default_bookmark_collection', '1.5', 'A valid integer is required.'],
  ['notify_on_follow', 'perhaps', 'Must be a valid boolean.'],
  ['is_moderator', 'true', 'Unknown field.'],
  ['avatar', 'https://example.org/me.png', 'Must be 0 characters or fewer.'],
])('%s as %s is refused with an error for the field', async (field, value, text) => {
  const reply = await send(toForm({ [field]: value }))
  expect([reply.statusCode, reply.json()]).toEqual([400, { [field]: [text], code: 'invalid' }])
})

test('forms that are too large, have too many parts or unknown files are refused', async () => {
  const tooLong = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])
  const large = await send(toForm({ bio: 'stored?', avatar: tooLong }))
  expect([large.statusCode, large.json()]).toEqual([
    400,
    { avatar: ['The file is larger than 5 MB.'], code: 'invalid' },
  ])
  const enormous = await send(toForm({ avatar: new Blob([new Uint8Array(6 * 1024 * 1024)]) }))
  expect(enormous.statusCode).toBe(413)
  const twoPictures = new FormData()
  for (const colour of ['red', 'blue']) twoPictures.append('avatar', await createPicture(colour))
  expect((await send(twoPictures)).statusCode).toBe(413)
  const tooManyFields = new FormData()
  for (let n = 0; n < 30; n++) tooManyFields.append(`field${n}`, 'x')
  expect((await send(tooManyFields)).statusCode).toBe(413)
  const unknownField = await send(toForm({ cover: await createPicture() }))
  expect([unknownField.statusCode, unknownField.json()]).toEqual([
    400,
    { cover: ['Unknown field.'], code: 'invalid' },
  ])
  const empty = await send(toForm({ avatar: new File([], 'me.png') }))
  expect(empty.json()).toEqual({ avatar: ['The submitted file is empty.'], code: 'invalid' })
  expect((await readProfile()).bio).toBe('')
})

const start = '--x\r\nContent-Disposition: form-data; name='
test.each<[string, string, string]>([
  ['nothing', 'multipart/form-data; boundary=x', ''],
  ['no boundary', 'multipart/form-data', `${start}"bio"\r\n\r\nx\r\n--x--\r\n`],
  ['another boundary', 'multipart/form-data; boundary=y', `${start}"bio"\r\n\r\nx\r\n--x--\r\n`],
  ['half a field', 'multipart/form-data; boundary=x', `${start}"bio"\r\n\r\nhalf`],
  ['half a file', 'multipart/form-data; boundary=x', `${start}"avatar"; filename="a"\r\n\r\nhalf`],
  ['a field without a name', 'multipart/form-data; boundary=x', '--x\r\n\r\n\r\nx\r\n--x--\r\n'],
  ['the name __proto__', 'multipart/form-data; boundary=x', `${start}"__proto__"\r\n\r\nx\r\n--x--\r\n`],
  [
    'invalid JSON',
    'multipart/form-data; boundary=x',
    `${start}"bio"\r\nContent-Type: application/json\r\n\r\n{"a\r\n--x--\r\n`,
  ],
  [
    'JSON instead of text',
    'multipart/form-data; boundary=x',
    `${start}"bio"\r\nContent-Type: application/json\r\n\r\n{"a":{"b":1}}\r\n--x--\r\n`,
  ],
])('a form with %s causes no internal error', async (_what, type, payload) => {
  const reply = await sendBytes(payload, type)
  // An empty form is valid.
  expect([200, 400]).toContain(reply.statusCode)
  expect((await readProfile()).bio).toBe('')
})

test('other content types are refused', async () => {
  expect((await sendBytes('<a/>', 'application/xml')).statusCode).toBe(415)
  expect((await sendBytes('bio=x', 'application/x-www-form-urlencoded')).statusCode).toBe(415)
})

const corpus = openCorpus('security')
describe.skipIf(!corpus.exists)('malicious pictures of the corpus', { tags: 'heavy' }, () => {
  const rows = corpus
    .rows<{ file: string; expect: string }>('images/manifest.jsonl')
    .filter(({ file }) => existsSync(corpus.path(`images/${file}`)))

  test('are refused with an error for the field or converted safely, as listed', async () => {
    const before = (await listFiles()).length
    expect(rows.length).toBeGreaterThan(30)
    for (const row of rows) {
      const bytes = Uint8Array.from(corpus.bytes(`images/${row.file}`))
      const reply = await send(toForm({ avatar: new File([bytes], row.file) }))
      if (reply.statusCode !== 200) {
        expect([reply.statusCode, Object.keys(reply.json())], row.file).toEqual([400, ['avatar', 'code']])
        expect(row.expect, row.file).not.toMatch(/^accept_(?:reencoded|rotated|without_metadata)$/)
        continue
      }
      expect(row.expect, row.file).not.toMatch(/^reject(?:_and_no_request)?$/)
      const { rawPayload } = await fetchFile(reply.json<Profile>().avatar_url)
      const { format, width, height, exif, xmp, icc } = await sharp(rawPayload).metadata()
      expect([format, width, height, exif, xmp, icc], row.file).toEqual([
        'webp',
        256,
        256,
        undefined,
        undefined,
        undefined,
      ])
      expect(rawPayload.toString('latin1'), row.file).not.toMatch(/<\?php|<script/)
    }
    await update({ avatar: '' })
    expect(await listFiles()).toHaveLength(before)
  })
})
