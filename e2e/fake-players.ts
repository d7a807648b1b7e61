/** Players of other sites as they speak to the page that shows them; a press on their button ends the film. */
import type { Page } from '@playwright/test'

const page = (script: string) => `<!doctype html><html lang="en"><title>player</title>
<p>A player</p><button>End</button><script>
const button = document.querySelector('button')
const say = (words) => parent.postMessage(words, '*')
${script}</script></html>`

/** Tells nothing before it was asked, and to the page alone that it was told of. */
const youtube = page(`
const origin = new URL(location.href).searchParams.get('origin')
let asked = false
const state = (info) => asked && parent.postMessage(JSON.stringify({ event: 'onStateChange', info }), origin)
addEventListener('message', ({ data }) => {
  if (JSON.parse(data).event !== 'listening' || asked) return
  asked = true
  say(JSON.stringify({ event: 'onReady' }))
  state(1)
})
button.onclick = () => { state(1); state(2); state(0) }`)

const vimeo = page(`
const heard = new Set()
addEventListener('message', ({ data: { method, value } }) => method === 'addEventListener' && heard.add(value))
button.onclick = () => heard.has('ended') && say({ event: 'ended', data: {} })`)

/** By jschannel: its words wait until its first one is answered. */
const peertube = page(`
let ready = false
const notify = (method, params) => say(JSON.stringify({ method: 'peertube::' + method, params }))
addEventListener('message', ({ data }) => { ready ||= JSON.parse(data).params === 'pong' })
notify('__ready', 'ping')
button.onclick = () => ready && notify('playbackStatusChange', 'ended')`)

export async function fakePlayers(browser: Page): Promise<void> {
  const players = {
    'https://www.youtube-nocookie.com/**': youtube,
    'https://player.vimeo.com/**': vimeo,
    'https://tube.example.org/**': peertube,
  }
  for (const [address, body] of Object.entries(players)) {
    await browser.route(address, (route) => route.fulfill({ contentType: 'text/html', body }))
  }
}
