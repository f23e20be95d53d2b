import { reloadConfiguration } from '@countersign/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { Writing } from '../../wallet/signing.ts'
import { text } from './text.ts'

/** For admins of this installation: a changed configuration is put into use without the shell. */
export function ReloadConfiguration() {
  const reload = useMutation({ mutationFn: () => api(reloadConfiguration, {}) })
  return (
    <Section title={text('chains.reload')}>
      <div className="grid gap-3" data-reload={reload.status}>
        <p className="max-w-prose text-ink-soft">{text('chains.reload.what')}</p>
        <Writing>
          <div>
            <Button onClick={() => reload.mutate()} busy={reload.isPending ? text('chains.reload.busy') : undefined}>
              {text('chains.reload.button')}
            </Button>
          </div>
        </Writing>
        {reload.isSuccess && (
          <Notice tone="good" isAnnounced>
            {text('chains.reload.done')}
          </Notice>
        )}
        {reload.error && <Problem error={reload.error} />}
      </div>
    </Section>
  )
}
