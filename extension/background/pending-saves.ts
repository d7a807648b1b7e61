/** Stores saves, and sends them one after the other. Used by the background script only. */
import { type SaveInput, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { type Extraction, extractMetadata } from '@reelmark/contract/extraction.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { api } from '../api.ts'
import { loadAccountDetails } from '../saves/account-details.ts'
import { chooseDestination } from '../saves/choose-destination.ts'
import type { PendingSave, SaveRequest } from '../saves/pending-save.ts'
import { createSaveBody } from '../saves/save-body.ts'
import { outcomeOfFailure, type SaveOutcome } from '../saves/save-outcome.ts'
import { type AccountDetails, readStored, writeStored } from '../stored.ts'

/** The end of the last change. */
let lastChange: Promise<unknown> = Promise.resolve()

/** Runs a change of what is stored after the one before has ended, so that none is lost. */
export function runChange<Result>(change: () => Promise<Result>): Promise<Result> {
  const next = lastChange.then(change)
  lastChange = next.catch(() => undefined)
  return next
}

function changePendingSaves(change: (saves: PendingSave[]) => PendingSave[]): Promise<void> {
  return runChange(async () => writeStored('pendingSaves', change(await readStored('pendingSaves'))))
}

/** Stores requests to save. Returns the keys of the pending saves. */
export async function addPendingSaves(requests: readonly SaveRequest[]): Promise<string[]> {
  const added = requests.map((request) => ({
    key: crypto.randomUUID(),
    request,
    body: null,
    problem: null,
  }))
  await changePendingSaves((saves) => [...saves, ...added])
  return added.map(({ key }) => key)
}

export function discardPendingSave(key: string): Promise<void> {
  return changePendingSaves((saves) => saves.filter((save) => save.key !== key))
}

/** Lets all pending saves wait until the user repeats or discards them. */
export function stopPendingSaves(problem: string): Promise<void> {
  return changePendingSaves((saves) => saves.map((save) => ({ ...save, body: null, problem })))
}

/** Lets a refused save be sent again, with what the site finds now. */
export function retryPendingSave(key: string): Promise<void> {
  return updatePendingSave(key, { body: null, problem: null })
}

function updatePendingSave(key: string, changes: Partial<PendingSave>): Promise<void> {
  return changePendingSaves((saves) =>
    saves.map((save) => (save.key === key ? { ...save, ...changes } : save)),
  )
}

/** What happened to the saves of a pass, by key. Saves that a pass did not reach are not in it. */
export type PassOutcomes = ReadonlyMap<string, SaveOutcome>

/** The end of the last pass. Passes run one after the other, so that nothing is sent twice. */
let lastPass: Promise<PassOutcomes> = Promise.resolve(new Map())

/** Sends the saves that are pending now, and returns what happened to them. */
export function sendPendingSaves(): Promise<PassOutcomes> {
  lastPass = lastPass.then(runPass, runPass)
  return lastPass
}

async function runPass(): Promise<PassOutcomes> {
  const outcomes = new Map<string, SaveOutcome>()
  const pass = { account: null as AccountDetails | null }
  for (;;) {
    const saves = await readStored('pendingSaves')
    const save = saves.find(({ key, problem }) => problem === null && !outcomes.has(key))
    if (save === undefined) return outcomes
    const outcome = await send(save, pass).catch(outcomeOfFailure)
    outcomes.set(save.key, outcome)
    if (outcome.kind === 'saved') await discardPendingSave(save.key)
    else if (outcome.kind === 'refused') await updatePendingSave(save.key, { problem: outcome.text })
    else if (outcome.kind === 'disconnected' || outcome.blocksOthers) return outcomes
  }
}

async function send(save: PendingSave, pass: { account: AccountDetails | null }): Promise<SaveOutcome> {
  const text = save.body ?? (await prepareBody(save, pass))
  if (text === null) return { kind: 'refused', text: 'You have no collection to save to.' }
  const body = JSON.parse(text) as SaveInput
  const { id } = await api(saveBookmark, { body }, { 'idempotency-key': save.key })
  return { kind: 'saved', bookmarkId: id }
}

/** Determines the body of a save and stores it. Returns null if the account has no collection. */
async function prepareBody(
  { key, request }: PendingSave,
  pass: { account: AccountDetails | null },
): Promise<string | null> {
  pass.account ??= await loadAccountDetails()
  const { account } = pass
  // The requested collection may have been deleted since.
  const last = request.destination ?? (await readStored('lastDestination'))
  const destination = account.collections.some(({ id }) => id === request.destination?.collection)
    ? request.destination
    : chooseDestination(account, last)
  if (destination === null) return null
  const body = JSON.stringify(createSaveBody(request, destination, await extract(request.url), account))
  await updatePendingSave(key, { body })
  return body
}

/** Returns what the site finds on a page; null if it finds nothing. */
async function extract(url: string): Promise<Extraction | null> {
  try {
    return await api(extractMetadata, { body: { url } })
  } catch (error) {
    const { kind } = outcomeOfFailure(error)
    if (isCallError(error) && kind === 'refused') return null
    throw error
  }
}
