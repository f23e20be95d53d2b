import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Address as AddressText, TypedDataDefinition } from 'viem'
import { Address } from '../../../ui/address.tsx'
import { Amount } from '../../../ui/amount/amount.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { text } from '../../text.ts'
import { demoAccountName } from './demo-accounts.ts'
import type { DemoRequest } from './demo-provider.ts'

/** A wallet is a program of its own: it draws outside the page's tree, as an extension's window would. */
function ask<T>(draw: (answer: (value: T) => void) => ReactNode): Promise<T> {
  return new Promise((resolve) => {
    const host = document.createElement('div')
    document.body.append(host)
    const root = createRoot(host)
    root.render(
      draw((value) => {
        root.unmount()
        host.remove()
        resolve(value)
      }),
    )
  })
}

export function askForAccount(
  accounts: AddressText[],
  current: AddressText | undefined,
): Promise<AddressText | undefined> {
  return ask<AddressText | undefined>((answer) => (
    <Dialog isOpen title={text('demo.title')} onClose={() => answer(undefined)}>
      <p className="font-semibold">{text('demo.choose')}</p>
      <p className="mb-3 text-small text-ink-soft">{text('demo.choose.hint')}</p>
      <ul className="border-t border-rule">
        {accounts.map((account, index) => (
          <li key={account} className="border-b border-rule">
            <button
              type="button"
              data-demo-account={index}
              aria-current={account === current || undefined}
              onClick={() => answer(account)}
              className="w-full px-1 py-2.5 text-left hover:bg-accent-wash aria-[current]:bg-accent-wash"
            >
              <Address address={account} name={demoAccountName(index)} isCopyable={false} />
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-4">
        <Button isWide onClick={() => answer(undefined)}>
          {text('demo.reject')}
        </Button>
      </div>
    </Dialog>
  ))
}

export function askForApproval(request: DemoRequest): Promise<boolean> {
  return ask<boolean>((answer) => (
    <Dialog isOpen title={text('demo.title')} onClose={() => answer(false)}>
      <div className="grid gap-4" data-demo-request={request.kind}>
        <RequestView request={request} />
        <div className="sticky bottom-0 -mb-2 grid grid-cols-2 gap-2 border-t border-rule bg-paper py-3">
          <Button onClick={() => answer(false)}>{text('demo.reject')}</Button>
          <Button variant="primary" onClick={() => answer(true)}>
            {text('demo.approve')}
          </Button>
        </div>
      </div>
    </Dialog>
  ))
}

function RequestView({ request }: { request: DemoRequest }) {
  const as = (
    <Fact label={text('demo.signingAs')}>
      <Address address={request.account} isCopyable={false} />
    </Fact>
  )
  switch (request.kind) {
    case 'message':
      return (
        <>
          <p className="font-semibold">{text('demo.message')}</p>
          <Facts>{as}</Facts>
          <pre className="figures bg-sunk p-3 text-small whitespace-pre-wrap wrap-anywhere">{request.message}</pre>
        </>
      )
    case 'typed-data':
      return (
        <>
          <p className="font-semibold">{text('demo.typedData')}</p>
          <Facts>
            {as}
            <Fact label={text('demo.hash')}>
              <code className="figures text-small wrap-anywhere">{request.hash}</code>
            </Fact>
          </Facts>
          <Values title={text('demo.domain')} values={request.typedData.domain ?? {}} />
          <Values
            title={`${text('demo.fields')}: ${request.typedData.primaryType}`}
            values={inSignedOrder(request.typedData)}
          />
        </>
      )
    case 'transaction':
      return (
        <>
          <p className="font-semibold">{text('demo.transaction')}</p>
          <Facts>
            {as}
            <Fact label="to">
              <Address address={request.to} isCopyable={false} />
            </Fact>
            <Fact label="value">
              <Amount value={request.value} decimals={18} symbol="ETH" />
            </Fact>
            <Fact label="data">
              <code className="figures block max-h-40 overflow-y-auto text-small wrap-anywhere">{request.data}</code>
            </Fact>
          </Facts>
        </>
      )
  }
}

/** The fields as their type lists them, so that "to" stands first whatever order the page sent them in. */
function inSignedOrder({ types, primaryType, message }: TypedDataDefinition): Record<string, unknown> {
  const fields = (types as Record<string, readonly { name: string }[]>)[primaryType] ?? []
  const values = message as Record<string, unknown>
  return Object.fromEntries(fields.map(({ name }) => [name, values[name]]))
}

function Values({ title, values }: { title: string; values: Record<string, unknown> }) {
  return (
    <section>
      <h3 className="label mb-1">{title}</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 border-t border-rule pt-1">
        {Object.entries(values).map(([name, value]) => (
          <div key={name} className="contents text-small">
            <dt className="py-0.5 text-ink-faint">{name}</dt>
            <dd className="figures py-0.5 wrap-anywhere">
              {typeof value === 'object' ? JSON.stringify(value) : String(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
