import { describe, expect, test } from 'vitest'
import { createSafeProvider } from './safe-connector.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const { request } = createSafeProvider(async () => ({ address, chainId: 100 }))

describe('createSafeProvider', () => {
  test('default: the account and the chain', async () => {
    expect(await request({ method: 'eth_requestAccounts' })).toEqual([address])
    expect(await request({ method: 'eth_accounts' })).toEqual([address])
    expect(await request({ method: 'eth_chainId' })).toBe('0x64')
  })

  test.each(['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction', 'eth_sign'])(
    'error: WALLET_IS_SAFE for %s, at once',
    async (method) => {
      await expect(request({ method })).rejects.toMatchObject({ code: 'WALLET_IS_SAFE' })
    },
  )

  test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
    'error: CHAIN_SWITCH_UNSUPPORTED for %s',
    async (method) => {
      await expect(request({ method })).rejects.toMatchObject({ code: 'CHAIN_SWITCH_UNSUPPORTED' })
    },
  )
})
