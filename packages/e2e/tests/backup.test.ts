import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { addSafeByScript, proposeByScript, readTransaction, signInByScript } from '../src/people/script-owner.ts'
import { newSafe, rpcUrlOf, team } from '../src/people/team.ts'
import { makeDataPath, startProduct } from '../src/product/product.ts'

const program = fileURLToPath(new URL('../../../dist/backup.js', import.meta.url))
const run = promisify(execFile)

test('a database that is lost comes back from a backup, with who is signed in and every signature', async () => {
  const dataPath = makeDataPath()
  onTestFinished(() => rmSync(dataPath, { recursive: true, force: true }))
  const env = { ...process.env, COUNTERSIGN_DATA: dataPath, DATABASE_URL: '' }
  await using first = await startProduct({ dataPath })
  const safe = await newSafe({ rpcUrl: rpcUrlOf(first), chainId: 31337, version: '1.4.1' })
  const owner = await signInByScript(first.url, team.anna.privateKey, 31337)
  await addSafeByScript(owner, safe.safeAddress)
  const { safeTxHash } = await proposeByScript(owner, safe, { to: team.stranger.address, value: 1n, nonce: 0n })
  const file = join(dataPath, 'kept.backup.gz')
  expect((await run(process.execPath, [program, 'backup', file], { env })).stdout).toContain(`rows in ${file}`)
  const told = await run(process.execPath, [program, 'restore', file], { env }).catch((error: unknown) => error)
  expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('DATA_IN_USE') })
  const before = await readTransaction(owner, safeTxHash)
  await first.stop()

  // Where it is not under the data directory, a new one is made elsewhere.
  for (const name of ['postgres', 'postgres.location']) rmSync(join(dataPath, name), { recursive: true, force: true })
  await run(process.execPath, [program, 'restore', file], { env })
  await using _second = await startProduct({ dataPath, port: first.port })
  expect(await readTransaction(owner, safeTxHash)).toEqual(before)
})
