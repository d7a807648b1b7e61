/** Imitations of other sites' players and their messages. Pressing their button ends the video. */
import type { Page } from '@playwright/test'

const page = (script: string) => `<!doctype html><html lang="en"><title>player</title>
<p>A player</p><button>End</button><script>
const button = document.querySelector('button')
const send = (message) => parent.postMessage(message, '*')
${script}</script></html>`

/**
 * YouTube: sends states and times only after a `listening` message, and only to the origin in its URL. It shows whether it
 * is playing, and sends a last time when it is paused.
 */
const youtube = page(`
const origin = new URL(location.href).searchParams.get('origin')
const output = document.body.appendChild(document.createElement('output'))
let listening = false
let currentTime = 0
const post = (message) => parent.postMessage(JSON.stringify(message), origin)
const state = (info) => {
  output.textContent = info === 1 ? 'Playing' : 'Paused'
  if (listening) post({ event: 'onStateChange', info })
}
const move = () => { currentTime += 0.001; post({ event: 'infoDelivery', info: { currentTime } }) }
setInterval(() => { if (listening && output.textContent === 'Playing') move() }, 200)
addEventListener('message', ({ data }) => {
  const { event, func } = JSON.parse(data)
  if (func === 'pauseVideo') { state(2); move() }
  if (func === 'playVideo') state(1)
  if (event !== 'listening' || listening) return
  listening = true
  send(JSON.stringify({ event: 'onReady' }))
  state(1)
})
button.onclick = () => { state(1); state(2); state(0) }`)

/** Vimeo: sends only the events that were subscribed to. */
const vimeo = page(`
const events = new Set()
addEventListener('message', ({ data: { method, value } }) => method === 'addEventListener' && events.add(value))
button.onclick = () => events.has('ended') && send({ event: 'ended', data: {} })`)

/** PeerTube: sends events by jschannel after its handshake is answered. */
const peertube = page(`
let ready = false
const notify = (method, params) => send(JSON.stringify({ method: 'peertube::' + method, params }))
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
