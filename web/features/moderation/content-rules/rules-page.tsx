import {
  type ContentRule,
  createContentRule,
  deleteContentRule,
  ruleEffects,
  ruleKinds,
  updateContentRule,
} from '@reelmark/contract/content-rules.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { focusBeyond } from '../../../ui/focus-beyond.ts'
import { pluralise } from '../../../ui/pluralise.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Filter } from '../cases/case-filters.tsx'
import { moderatorApi } from '../moderator-api.ts'
import { rulesQuery } from '../queries.ts'
import { PagedRows, QueryContent, useReturnToFirstPage } from '../query-states.tsx'
import type { RulesSearch } from '../tab-search-params.ts'
import { NewRuleForm } from './new-rule-form.tsx'
import { ruleEffectLabels, ruleKindLabels } from './rule-labels.ts'

/** Lists the content rules: sites, words and tags whose content is held for review or refused. */
export function RulesPage({
  search,
  onSearch,
}: {
  search: RulesSearch
  onSearch: (search: RulesSearch, options?: { replace?: boolean }) => void
}) {
  const { kind, page = 1 } = search
  const rules = useQuery(rulesQuery({ page, ...(kind === undefined ? {} : { kind }) }))
  useReturnToFirstPage(rules, page, () => onSearch({ kind }, { replace: true }))
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <NewRuleForm />
      <section aria-labelledby="rules" className="min-w-0">
        <h2 id="rules" className="sr-only">
          Rules
        </h2>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="text-14 text-quiet tabular-nums">
            {rules.data !== undefined && pluralise(rules.data.count, 'rule')}
          </p>
          <Filter
            label="Kind"
            value={kind ?? ''}
            choices={[
              ['', 'All kinds'],
              ...ruleKinds.map((option) => [option, ruleKindLabels[option]] as const),
            ]}
            onChange={(value) => onSearch({ kind: ruleKinds.find((option) => option === value) })}
          />
        </div>
        <div className="mt-3">
          <QueryContent query={rules} subject="the rules">
            {({ count, results }) =>
              results.length === 0 ? (
                <EmptyState
                  title="No rules yet"
                  text="Add a site, word or tag and test it before turning it on."
                />
              ) : (
                <PagedRows
                  label="Rules"
                  count={count}
                  page={page}
                  linkTo={(number) => ({ to: '/moderator/rules', search: { ...search, page: number } })}
                >
                  {results.map((rule) => (
                    <RuleItem key={rule.id} rule={rule} />
                  ))}
                </PagedRows>
              )
            }
          </QueryContent>
        </div>
      </section>
    </div>
  )
}

function RuleItem({ rule }: { rule: ContentRule }) {
  const client = useQueryClient()
  const params = { id: rule.id }
  const { kind, pattern, effect, note } = rule
  const body = { kind, pattern, effect, note }

  const mutation = useApiMutation((call: () => Promise<unknown>) => call(), {
    onError: (error) => void toast(errorMessage(error), { tone: 'danger' }),
  })
  const { busy } = mutation
  const row = useRef<HTMLLIElement>(null)

  async function run(call: () => Promise<unknown>, text: string, undo: (() => void) | null = null) {
    await mutation.run(async () => {
      await call()
      // A removed rule disappears from the list.
      if (undo !== null) focusBeyond(row.current)
      toast(text, { action: undo === null ? null : { label: 'Undo', run: undo } })
      await client.invalidateQueries({ queryKey: ['moderation', 'rules'] })
    })
  }

  return (
    <li ref={row} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge>{ruleKindLabels[rule.kind]}</Badge>
          <span className="text-14 font-medium text-ink wrap-anywhere">{rule.pattern}</span>
        </p>
        <p className="mt-1 text-13 text-quiet wrap-anywhere">
          {rule.note !== '' && <span className="block text-ink">{rule.note}</span>}
          {rule.created_by === null ? 'Added' : `Added by ${rule.created_by.username}`}{' '}
          <RelativeTime time={rule.created_at} />
        </p>
      </div>
      <div className="flex items-center gap-2">
        <Filter
          label={`Action for ${rule.pattern}`}
          value={rule.effect}
          choices={ruleEffects.map((effect) => [effect, ruleEffectLabels[effect]] as const)}
          onChange={(value) => {
            const effect = ruleEffects.find((option) => option === value)
            if (effect !== undefined && !busy) {
              void run(
                () => moderatorApi(updateContentRule, { params, body: { effect } }),
                effect === 'hold'
                  ? `${rule.pattern} is held for review now.`
                  : `${rule.pattern} is refused now.`,
              )
            }
          }}
        />
        <Button
          tone="quiet"
          size="sm"
          busy={busy}
          onClick={() =>
            void run(
              () => moderatorApi(deleteContentRule, { params }),
              'Rule removed.',
              () =>
                void run(
                  () => moderatorApi(createContentRule, { body }),
                  `Rule for ${rule.pattern} restored.`,
                ),
            )
          }
        >
          Remove<span className="sr-only"> the rule for {rule.pattern}</span>
        </Button>
      </div>
    </li>
  )
}
