import type { Page } from 'playwright-core'
import { connect, executeButton, names, openTransaction, statusText, verify, walletEntry } from '../people/owner.ts'
import { addSafeByScript, confirmByScript, proposeByScript, signInByScript } from '../people/script-owner.ts'
import { team } from '../people/team.ts'
import type { Scene } from '../product/scene.ts'
import { dialog, dialogButton, expectMessage, expectNotice, messages, openDialog, signButton } from './dialog.ts'
import { announceOddWallets } from './odd-wallet.ts'
import { pickWalletConnect, readCode } from './pairing.ts'

type Visit = (page: Page, screen: string) => Promise<void>

/** The screens before an account is connected, each shown to `visit`. */
export async function tourConnecting(scene: Scene, visit: Visit): Promise<void> {
  const { context, page, wallet, url } = await scene.owner(team.anna.privateKey)
  await page.goto(url)
  await openDialog(page)
  await walletEntry(page, wallet.name).waitFor()
  await visit(page, 'connect')
  await walletEntry(page, 'MetaMask').click()
  await expectMessage(page, messages.notInstalled('MetaMask'))
  await visit(page, 'connect-not-installed')
  await dialogButton(page, 'All wallets').click()
  await dialogButton(page, 'Get a wallet').click()
  await dialog(page).getByRole('heading', { name: 'What a wallet is' }).waitFor()
  await visit(page, 'get')
  await dialogButton(page, 'All wallets').click()
  wallet.behave('connect', 'reject')
  await walletEntry(page, wallet.name).click()
  await expectNotice(page, 'Request rejected')
  await visit(page, 'connect-rejected')
  wallet.behave('connect', 'fail')
  await dialogButton(page, 'Retry').click()
  await expectMessage(page, messages.oops)
  await visit(page, 'connect-failed')
  wallet.behave('connect', 'empty')
  await dialogButton(page, 'Retry').click()
  await expectNotice(page, `${wallet.name} is locked`)
  await visit(page, 'connect-locked')
  wallet.behave('connect', 'hold')
  await dialogButton(page, 'Retry').click()
  await dialog(page).getByText(`Waiting for ${wallet.name}`).waitFor()
  await visit(page, 'connect-waiting')
  const fakes = ['MetaMask', 'Fox', 'Fox', ...Array.from({ length: 8 }, (_, index) => `Wallet ${index}`)]
  await announceOddWallets(
    context,
    fakes.map((name, index) => ({ name, rdns: `fake.number${index}`, request: 'return null' })),
  )
  await page.reload()
  await openDialog(page)
  await dialogButton(page, /^Show the other/).waitFor()
  await visit(page, 'connect-fakes')
}

/** Pairing a phone; the scene needs a WalletConnect relay. */
export async function tourScanning(scene: Scene, visit: Visit): Promise<void> {
  const { page, url, watch } = await scene.owner(team.anna.privateKey)
  watch.expect(/^socket opened/)
  await page.goto(url)
  await pickWalletConnect(page)
  await readCode(page)
  await visit(page, 'scan')
}

/** Networks and signing in. */
export async function tourVerifying(scene: Scene, visit: Visit): Promise<void> {
  const anna = await scene.owner(team.anna.privateKey, { chainId: 424_242 })
  const { page, wallet } = anna
  await page.goto(anna.url)
  await connect(anna)
  await expectMessage(page, messages.wrongNetworkDetected)
  await visit(page, 'network-wrong')
  wallet.behave('add', 'fail')
  await dialogButton(page, /^Switch to /)
    .first()
    .click()
  await expectNotice(page, new RegExp(`^${wallet.name} does not know`))
  await visit(page, 'network-by-hand')
  await wallet.switchChain(scene.chainId)
  await signButton(page).waitFor()
  await visit(page, 'verify')
  wallet.behave('sign', 'reject')
  await signButton(page).click()
  await expectNotice(page, 'Request rejected')
  await visit(page, 'verify-rejected')
  wallet.behave('sign', 'fail')
  await signButton(page).click()
  await expectMessage(page, messages.signing)
  await visit(page, 'verify-failed')
  wallet.behave('sign', 'hold')
  await dialogButton(page, 'Retry').click()
  await dialog(page).getByText('Waiting for the signature').first().waitFor()
  await visit(page, 'verify-waiting')
}

/** The account, after it has executed a transaction of a Safe of its own. */
export async function tourProfile(scene: Scene, visit: Visit): Promise<void> {
  const safe = await scene.newSafe()
  const [anna, bruno] = [
    await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId),
    await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId),
  ]
  await addSafeByScript(anna, safe.safeAddress)
  const { safeTxHash } = await proposeByScript(anna, safe, { to: team.stranger.address, value: 1n, nonce: 0n })
  await confirmByScript(bruno, safe, safeTxHash)
  const owner = await scene.owner(team.anna.privateKey)
  const { page, wallet } = owner
  await page.goto(owner.url)
  await connect(owner)
  await verify(owner)
  await openDialog(page)
  await dialog(page).getByText('No transactions sent from this browser').waitFor()
  await visit(page, 'profile-empty')
  await page.keyboard.press('Escape')
  await openTransaction(owner, safe.safeAddress, safeTxHash)
  await executeButton(page).click()
  await statusText(page, names.executed).waitFor()
  await openDialog(page)
  await dialog(page).locator('[data-sent][data-outcome="confirmed"]').waitFor()
  await dialog(page).locator('[data-amount]').waitFor()
  await visit(page, 'profile')
  await dialogButton(page, 'Switch networks').click()
  await dialog(page).locator('[data-chain]').first().waitFor()
  await visit(page, 'network')
  await dialogButton(page, 'Your account').click()
  await wallet.switchAccount(team.bruno.privateKey)
  await dialog(page).getByText('Your wallet is on a different account').waitFor()
  await signButton(page).waitFor()
  await visit(page, 'verify-other-account')
  await wallet.lock()
  await dialog(page).getByText('You are signed in as').waitFor()
  await visit(page, 'connect-session-only')
}
