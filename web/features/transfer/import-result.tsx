import type { Import } from '@reelmark/contract/transfer.ts'
import { Link } from '@tanstack/react-router'
import { textLinkClass } from '../../shared/pages/account-page.tsx'
import { useSession } from '../../shared/session/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Shows the result of the last import. */
export function ImportResult({ result }: { result: Import }) {
  const { username } = useSession()
  const { state, added, duplicates, failed, problems, finished_at, created_at } = result
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
      tone={failed > 0 ? 'info' : 'success'}
      polite
      title={`${added.toLocaleString('en')} imported, ${duplicates.toLocaleString('en')} already saved`}
    >
      <p className="text-quiet">
        Finished <RelativeTime time={finished_at ?? created_at} />.{' '}
        {username !== null && (
          <Link to="/users/$username" params={{ username }} className={textLinkClass}>
            See your profile
          </Link>
        )}
      </p>
      {problems.length > 0 && (
        <details className="mt-2" open={problems.length <= 5}>
          <summary className="min-h-6 font-medium text-ink">
            {pluralise(failed, 'item')} couldn't be imported
            {failed > problems.length && ` (first ${problems.length} shown)`}
          </summary>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            {problems.map(({ what, why }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and a file can contain an item twice
              <li key={index}>
                <span className="font-medium wrap-anywhere text-ink">{what}:</span>{' '}
                <span className="text-quiet">{why}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Notice>
  )
}
