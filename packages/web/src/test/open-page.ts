import { File } from 'node:buffer'
import {
  announceWallet,
  createScriptedWallet,
  demoAccounts,
  type ScriptedWallet,
  type WalletOptions,
} from '@countersign/devnet/scripted-wallet'
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { createElement } from 'react'
import type { Hex } from 'viem'
import { expect, vi } from 'vitest'
import { FakeEventSource, stubBrowser } from './browser-stubs.ts'
import { answerEmpty } from './empty-answers.ts'
import { createFakeServer, type FakeServer, sessionOf } from './fake-server.ts'

// Nothing is laid out here: whether an element can be seen is asked of a browser.
configure({
  defaultHidden: true,
  asyncUtilTimeout: 30_000,
  // Without the markup of the page, because it would hide the expectation that failed.
  getElementError: (message) => new Error(message ?? 'An element was not found.'),
})

export type Account = { address: `0x${string}`; privateKey: Hex }
const [anna, bruno, carla, relayer, stranger] = demoAccounts as readonly Account[] as [
  Account,
  Account,
  Account,
  Account,
  Account,
]
export const team = { anna, bruno, carla, relayer, stranger }

/** A browser with its storage, over a server that the test scripts. */
export type FakeBrowser = {
  server: FakeServer
  /** Whether the window has room for two columns. A phone does not. */
  isWide: boolean
  /** Installs a wallet, which announces itself to each page that opens. */
  install(privateKey: Hex, options?: Partial<WalletOptions>): ScriptedWallet
  /** Starts with a person already signed in and their wallet connected, as after an earlier visit. */
  comeBack(account?: Account, options?: Partial<WalletOptions>): Promise<ScriptedWallet>
  /** Runs in each page that opens, before its own scripts. */
  eachLoad(script: () => void): void
  /** Loads the page at a path: everything of an earlier load is gone, but for what the browser stores. */
  open(path?: string): Promise<void>
  close(): void
}

export function startBrowser(): FakeBrowser {
  const server = createFakeServer()
  answerEmpty(server)
  const scripts: (() => void)[] = []
  /** Announces the wallet of the person who came back last. The next person gets a new browser. */
  let visit: (() => void) | undefined
  localStorage.clear()
  sessionStorage.clear()
  const stopListening = stubBrowser(server, () => browser.isWide)
  let unload = () => {}
  /** The id of the wallet that was installed last. */
  let rdns = ''
  const browser: FakeBrowser = {
    server,
    isWide: true,
    install: (privateKey, options) => {
      const { wallet, announcement, respond } = createScriptedWallet(
        { privateKey, rpcUrl: `${location.origin}/api/chains/31337/rpc`, chainId: 31_337, ...options },
        async (event, value) => {
          window.dispatchEvent(new CustomEvent(`${announcement.id}:${event}`, { detail: value }))
        },
      )
      rdns = announcement.info.rdns
      browser.eachLoad(() => {
        Reflect.set(window, announcement.id, respond)
        announceWallet(announcement)
      })
      return wallet
    },
    comeBack: async (account = anna, options) => {
      if (visit) scripts.splice(scripts.indexOf(visit), 1)
      const wallet = browser.install(account.privateKey, options)
      visit = scripts.at(-1)
      server.session = sessionOf(wallet.address, options?.chainId ?? 31_337)
      await wallet.unlock()
      localStorage.setItem('countersign.signed-in', 'yes')
      for (const key of ['last-wallet', 'connected-wallet']) localStorage.setItem(`countersign.${key}`, rdns)
      return wallet
    },
    eachLoad: (script) => void scripts.push(script),
    open: async (path = '/') => {
      unload()
      stopListening()
      for (const script of scripts) script()
      history.replaceState(null, '', path)
      document.body.innerHTML = '<div id="root"></div>'
      vi.resetModules()
      const { startLocale, startTimeZone } = await import('../text/locale.ts')
      startLocale(localStorage, ['en-GB'])
      startTimeZone(localStorage)
      const { loadTexts } = await import('../text/text.ts')
      const [{ App }, { router }, { queries }] = await Promise.all([
        import('../app/app.tsx'),
        import('../app/router.tsx'),
        import('../app/queries.ts'),
        loadTexts(),
      ])
      render(createElement(App), { container: document.getElementById('root') as HTMLElement })
      unload = () => {
        cleanup()
        router.history.destroy()
        queries.clear()
        for (const name of Object.keys(document.documentElement.dataset)) delete document.documentElement.dataset[name]
      }
    },
    close: () => {
      unload()
      stopListening()
      FakeEventSource.closeAll()
      Reflect.deleteProperty(window, 'ethereum')
      vi.unstubAllGlobals()
      expect([...server.unanswered], 'endpoints without an answer').toEqual([])
    },
  }
  return browser
}

/** Presses an element as a person can: not one that is disabled or inert. */
export function press(element: Element): void {
  expect(element.closest(':disabled, [inert]'), `${element.outerHTML.slice(0, 200)} can be pressed`).toBeNull()
  if (element instanceof HTMLElement) element.focus()
  fireEvent.pointerDown(element)
  fireEvent.click(element)
}

/** Presses the button of a name in a part of the page, once it is there. */
export async function pressButton(name: string | RegExp, part?: HTMLElement): Promise<void> {
  press(await (part ? within(part) : screen).findByRole('button', { name }))
}

/** Waits for the two statuses that the page puts on `<html>`. */
export async function expectStatus(expected: { connection?: string; session?: string }): Promise<void> {
  const { connection, session } = expected
  await waitFor(() => {
    const { connectionStatus, sessionStatus } = document.documentElement.dataset
    expect({ connection: connection && connectionStatus, session: session && sessionStatus }).toEqual({
      connection,
      session,
    })
  })
}

/** Waits for a part of the page by its CSS selector. */
export function findPart(selector: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found = document.querySelector<HTMLElement>(selector)
    expect(found, selector).not.toBeNull()
    return found as HTMLElement
  })
}

/** The main part of the page. */
export function main(): ReturnType<typeof within> {
  return within(screen.getByRole('main'))
}

/** Types into the field of a label, in the place of what is there. */
export async function fill(label: string, value: string): Promise<void> {
  const field = await screen.findByLabelText(label, { selector: 'input, textarea, select' })
  expect(field.closest(':disabled, [inert]'), `${label} can be filled in`).toBeNull()
  field.focus()
  fireEvent.change(field, { target: { value } })
}

/** Chooses an option of a field by its value. */
export async function choose(label: string, value: string): Promise<void> {
  await fill(label, value)
  expect(screen.getByLabelText<HTMLSelectElement>(label, { selector: 'select' }).value).toBe(value)
}

/** Chooses a file in a file field. Uses Node's File class, because it can be cloned for a Worker. */
export function chooseFile(field: Element, name: string, content: string): void {
  Object.defineProperty(field, 'files', { configurable: true, value: [new File([content], name)] })
  fireEvent.change(field)
}

/** Rules that go by colours, sizes, or by what the styles hide. */
const rulesOfLayout = ['color-contrast', 'target-size', 'landmark-unique']

/** Expects that axe finds no fault in the page, or in the dialog that is open. */
export async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document.querySelector('dialog') ?? document.body, {
    resultTypes: ['violations'],
    rules: Object.fromEntries(rulesOfLayout.map((rule) => [rule, { enabled: false }])),
  })
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
  ).toEqual([])
}
