import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, examineInstallation, getConfiguration, reloadConfiguration } from '@countersign/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comeBack } from '../src/people/owner.ts'
import { signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const access = { admins: [team.anna.address] }
let scene: Scene
beforeAll(async () => {
  scene = await startScene({ configuration: { chains: [], access } })
})
afterAll(() => scene?.close())

const write = (text: string) => writeFileSync(join(scene.product.dataPath, 'countersign.config.json'), text)
const hasCoinbase = () =>
  call({ baseUrl: scene.product.url }, getConfiguration, {}).then(
    (configuration) => configuration.hasCoinbase,
    () => 'away',
  )

test('behavior: a changed configuration is in use after SIGHUP, and one with errors changes nothing', async () => {
  const { product } = scene
  expect(await hasCoinbase()).toBe(false)
  write(JSON.stringify({ chains: [], access, coinbase: true }))
  process.kill(product.pid, 'SIGHUP')
  await expect.poll(hasCoinbase).toBe(true)
  await expect.poll(() => product.output()).toContain('The server runs again')

  write('{ "coinbase": 5 }')
  process.kill(product.pid, 'SIGUSR2')
  await expect.poll(() => product.output()).toContain('The configuration from before stays in use.')
  expect(product.output()).toMatch(/CONFIGURATION_INVALID[\s\S]*coinbase/)
  expect(await hasCoinbase()).toBe(true)
})

test('behavior: an admin has it read again on the page, and nobody else does', async () => {
  const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId)
  await expect(call(bruno.options, reloadConfiguration, {})).rejects.toMatchObject({
    code: 'RELOAD_REFUSED',
    data: { reason: 'admin' },
  })
  const anna = await scene.owner(team.anna.privateKey)
  anna.watch.expect(/RELOAD_REFUSED/)
  // Requests while the server starts again find it starting, or away.
  anna.watch.expect(/50[23]|ERR_|Failed to load/)
  const { page } = anna
  await comeBack(anna, '/chains')
  write('{ "coinbase": 5 }')
  await page.getByRole('button', { name: 'Read it again' }).click()
  await page.getByText('coinbase: ').first().waitFor()
  expect(await hasCoinbase()).toBe(true)
  write(JSON.stringify({ chains: [], access }))
  await page.getByRole('button', { name: 'Read it again' }).click()
  await page.locator('[data-reload="success"]').waitFor()
  await expect.poll(hasCoinbase).toBe(false)
})

test('behavior: an admin is told on the page what the server stands on, and nobody else', async () => {
  const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId)
  expect(await call(bruno.options, examineInstallation, {})).toEqual({ findings: null })
  const anna = await scene.owner(team.anna.privateKey)
  const { page } = anna
  await comeBack(anna, '/chains')
  await page.getByRole('button', { name: 'Look now' }).click()
  const found = page.locator('[data-findings="success"]')
  await found.waitFor()
  await found.getByText(/^Database: PostgreSQL \d+/).waitFor()
  await found.getByText(/^Disk: .* GB free/).waitFor()
  await found.getByText(/^Clock: /).waitFor()
  await found.getByText(/^Devnet .*takes logs of .* blocks; a year of one Safe: .* requests?, about/).waitFor()
  await found.getByText(/^Outbound: 127\.0\.0\.1:\d+, by the server: node of Devnet$/).waitFor()
  // A notice stands before all that is well, with its remedy.
  const first = found.locator('[data-finding]').first()
  expect(await first.getAttribute('data-finding')).not.toBe('good')
  const backups = found.locator('[data-finding="notice"]', { hasText: 'Backups: none are written by themselves' })
  await backups.getByText('Set `backup` in countersign.config.json').waitFor()
})
