import { describe, expect, test } from 'vitest'
import { openCorpus } from '../../../testing/corpora.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice } = await useSite({ settings: { publicUrl: 'https://reelmark.example' } })

describe('an invalid link', () => {
  const links = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x.example/1',
    'https://user:password@films.example.org/',
    'films',
    '',
  ]
  test.each(links)('%j is refused as a source, a player and a thumbnail', async (link) => {
    const source = await failedReply(saveFilm(site, alice, 'x', { video: { source_url: link } }))
    expect(source).toMatchObject({
      status: 400,
      body: { code: 'invalid', video: { source_url: expect.any(Array) } },
    })
    if (link === '') return
    for (const field of ['embed_url', 'thumbnail_url']) {
      const refused = await failedReply(saveFilm(site, alice, 'x', { video: { [field]: link } }))
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'invalid', video: { [field]: expect.any(Array) } },
      })
    }
  })

  test.each([
    'http://player.example.org/1',
    'https://reelmark.example/',
    'https://REELMARK.example./embed/1',
    'https://localhost/',
  ])('%s is refused as a player, because it is not https or is on this site', async (embed_url) => {
    const refused = await failedReply(saveFilm(site, alice, 'x', { video: { embed_url } }))
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'invalid', video: { embed_url: expect.any(Array) } },
    })
  })

  const malicious = openCorpus('security/xss')
  test.skipIf(!malicious.exists)(
    'from the corpus of malicious links never becomes a player on this site',
    async () => {
      let n = 0
      for (const embed_url of malicious.rows<string>('bad_link_values.jsonl')) {
        const outcome = await saveFilm(site, alice, `harm${n++}`, { video: { embed_url } }).catch(() => null)
        const player = outcome?.video.embed_url ?? null
        if (player === null) continue
        const url = new URL(player)
        expect(url.protocol).toBe('https:')
        expect(['localhost', 'reelmark.example']).not.toContain(url.hostname)
        if (outcome?.video.player === 'known') expect(url.pathname).not.toContain('..')
      }
    },
  )
})
