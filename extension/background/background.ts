/** The background script. Browsers stop it while it is idle, so its listeners are registered at once and it holds no state. */
import { markTabSaved, setBadgeColours, showState } from '../badge.ts'
import { browser } from '../browser.ts'
import { disconnect } from '../connection/disconnect.ts'
import type { Message, SaveResult } from '../messages.ts'
import { productName } from '../names.ts'
import { findSaved, isSavable } from '../saves/find-saved.ts'
import { type PendingSave, quickSave, type SaveRequest } from '../saves/pending-save.ts'
import type { SaveOutcome } from '../saves/save-outcome.ts'
import { readStored, watchStored } from '../stored.ts'
import {
  addPendingSaves,
  discardPendingSave,
  type PassOutcomes,
  retryPendingSave,
  runChange,
  sendPendingSaves,
  stopPendingSaves,
} from './pending-saves.ts'

const sendAlarm = 'send-pending-saves'
/** Browsers run alarms once a minute at the most. */
const minAlarmMinutes = 1

browser.runtime.onInstalled.addListener(() => {
  browser.contextMenus.removeAll(() => {
    browser.contextMenus.create({
      id: 'save-page',
      title: `Save this page to ${productName}`,
      contexts: ['page', 'video'],
    })
    browser.contextMenus.create({
      id: 'save-link',
      title: `Save this link to ${productName}`,
      contexts: ['link'],
      targetUrlPatterns: ['http://*/*', 'https://*/*'],
    })
  })
  void start()
})
browser.runtime.onStartup.addListener(() => void start())

async function start(): Promise<void> {
  await setBadgeColours()
  await showState()
  await send()
}

watchStored('pendingSaves', () => void showState())
watchStored('connection', () => void showState())

browser.alarms.onAlarm.addListener(({ name }) => {
  if (name === sendAlarm) void send()
})

/** Sends what is pending, and sets the alarm for what remains: at first, in case the browser stops this script. */
async function send(): Promise<PassOutcomes> {
  if ((await readStored('pendingSaves')).every(({ problem }) => problem !== null)) return new Map()
  await browser.alarms.create(sendAlarm, { delayInMinutes: minAlarmMinutes })
  const outcomes = await sendPendingSaves()
  const waits = [...outcomes.values()].map((outcome) => (outcome.kind === 'waiting' ? outcome.seconds : 0))
  const seconds = Math.max(0, ...waits)
  if (seconds === 0) await browser.alarms.clear(sendAlarm)
  else await browser.alarms.create(sendAlarm, { delayInMinutes: Math.max(seconds / 60, minAlarmMinutes) })
  return outcomes
}

/** Stores requests to save before anything is sent, then sends them. */
async function save(requests: readonly SaveRequest[]): Promise<SaveResult[]> {
  const keys = await addPendingSaves(requests)
  const outcomes = await send()
  const left = new Map((await readStored('pendingSaves')).map((pending) => [pending.key, pending]))
  return keys.map((key) => ({ key, outcome: outcomes.get(key) ?? outcomeOfOthers(left.get(key), outcomes) }))
}

/**
 * Returns what happened to a save that is not in the outcomes of a pass. An earlier pass may have sent it; otherwise this
 * one did not reach it.
 * @param left the save as it is stored now; undefined: it was removed, because it was sent
 */
function outcomeOfOthers(left: PendingSave | undefined, outcomes: PassOutcomes): SaveOutcome {
  if (left === undefined) return { kind: 'saved', bookmarkId: null }
  if (left.problem !== null) return { kind: 'refused', text: left.problem }
  return [...outcomes.values()].at(-1) ?? { kind: 'disconnected' }
}

browser.runtime.onMessage.addListener((message: Message, _sender, reply) => {
  void handle(message).then(reply, () => reply(null))
  // The reply follows.
  return true
})

async function handle(message: Message): Promise<unknown> {
  switch (message.type) {
    case 'save':
      return save(message.requests)
    case 'send':
      await send()
      return null
    case 'retry':
      await retryPendingSave(message.key)
      await send()
      return null
    case 'discard':
      return discardPendingSave(message.key)
    case 'stop':
      await stopPendingSaves(message.problem)
      return true
    case 'disconnect':
      return runChange(disconnect)
  }
}

browser.contextMenus.onClicked.addListener(({ linkUrl, pageUrl, menuItemId }, tab) => {
  if (menuItemId === 'save-link' && linkUrl !== undefined) void saveQuickly(quickSave(linkUrl, ''))
  else if (tab !== undefined) void saveQuickly(quickSave(tab.url ?? pageUrl ?? '', tab.title ?? ''), tab.id)
})

browser.commands.onCommand.addListener(() => void saveActiveTab())

/** The shortcut allows it to read the address of the tab. */
async function saveActiveTab(): Promise<void> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  if (tab !== undefined) await saveQuickly(quickSave(tab.url ?? '', tab.title ?? ''), tab.id)
}

/** Saves without a form. If the user must connect first, the options open and the save is sent afterwards. */
async function saveQuickly(request: SaveRequest, tabId?: number): Promise<void> {
  if (!isSavable(request.url)) return
  const [result] = await save([request])
  if (result?.outcome.kind === 'disconnected') await browser.runtime.openOptionsPage()
  if (result?.outcome.kind === 'saved' && tabId !== undefined) await markTabSaved(tabId)
}

browser.tabs.onUpdated.addListener((tabId, change, tab) => {
  // Pages that replace their content without being loaded change the address only.
  const isShown = change.status === 'complete' || (change.url !== undefined && tab.status === 'complete')
  // What is visited in private windows stays on this device.
  if (isShown && tab.url !== undefined && !tab.incognito) void lookUp(tabId, tab.url)
})

/** Marks a visited page that is saved, if the user turned this on. */
async function lookUp(tabId: number, url: string): Promise<void> {
  if (!isSavable(url) || !(await readStored('checksEveryPage'))) return
  const saved = await findSaved(url).catch(() => [])
  if (saved.length > 0) await markTabSaved(tabId)
}
