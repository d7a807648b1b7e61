import type { Import } from '@reelmark/contract/imports.ts'
import { Link } from '@tanstack/react-router'
import { textLinkClass } from '../../shared/pages/account-page.tsx'
import { useSession } from '../../shared/session/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Shows the result of the last import. */
export function ImportResult({ result }: { result: Import }) {
  const { username } = useSession()
  const { state, outcomes, finished_at, created_at } = result
  const { new: added, known, rejected } = outcomes
  if (state === 'failed') {
    return (
      <Notice tone="danger" polite title="Import stopped">
        <p className="text-quiet">
          Some items were imported. Import the same file again to continue; duplicates are skipped.
        </p>
      </Notice>
    )
  }
  return (
    <Notice
      tone={rejected > 0 ? 'info' : 'success'}
      polite
      title={`${added.toLocaleString('en')} imported, ${known.toLocaleString('en')} already saved`}
    >
      <p className="text-quiet">
        Finished <RelativeTime time={finished_at ?? created_at} />.{' '}
        {username !== null && (
          <Link to="/users/$username" params={{ username }} className={textLinkClass}>
            See your profile
          </Link>
        )}
      </p>
      {rejected > 0 && <p className="mt-2">{pluralise(rejected, 'item')} couldn't be imported.</p>}
    </Notice>
  )
}
