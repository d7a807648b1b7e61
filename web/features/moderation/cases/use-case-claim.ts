import { type Case, claimCase, releaseCase } from '@reelmark/contract/cases.ts'
import type { UserSummary } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { moderatorApi } from '../moderator-api.ts'
import { caseQuery } from '../queries.ts'
import type { CaseKey } from './case-search.ts'

type CaseClaim = Case['claim']

/**
 * Claims a case while it is on screen, unless another moderator claimed it first. The claim is cached with the case.
 * @param isOpen whether the case has open reports. Other cases are not claimed.
 * @returns the other moderator who claimed it, and a function to take it over.
 */
export function useCaseClaim({ kind, id }: CaseKey, claim: CaseClaim, isOpen: boolean) {
  const client = useQueryClient()

  const sendClaim = useCallback(
    async (take_over: boolean) => {
      const cacheClaim = (claim: CaseClaim) =>
        client.setQueryData(
          caseQuery({ kind, id }).queryKey,
          (caseDetails) => caseDetails && { ...caseDetails, case: { ...caseDetails.case, claim } },
        )
      try {
        cacheClaim(await moderatorApi(claimCase, { params: { kind, id }, body: { take_over } }))
      } catch (error) {
        // Other failures are ignored: the server decides whose decision counts.
        if (isApiError(error, 'claimed')) cacheClaim(errorBody(error).claim as CaseClaim)
      }
    },
    [client, kind, id],
  )

  useEffect(() => {
    if (!isOpen) return
    const release = () => void moderatorApi(releaseCase, { params: { kind, id } }).catch(() => undefined)
    void sendClaim(false)
    const timer = setInterval(() => void sendClaim(false), limits.claimSeconds * 400)
    window.addEventListener('pagehide', release)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', release)
      release()
    }
  }, [sendClaim, kind, id, isOpen])

  const otherModerator: UserSummary | null =
    isOpen && claim !== null && !claim.is_own ? claim.moderator : null
  const takeOver = useApiMutation(() => sendClaim(true))
  return { otherModerator, busy: takeOver.busy, takeOver: () => takeOver.run() }
}
