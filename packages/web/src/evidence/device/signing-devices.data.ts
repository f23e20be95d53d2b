import type { DeviceDisplay, DevicePart, SigningDevice } from './signing-device.ts'

// Each fact is of a release and of a day: devices change with their firmware, and with the software that asks them. What
// nobody has read in a source is `unknown`, and is said as that.

const hashes = ['domainHash', 'messageHash', 'eip712Digest', 'calldataDigest'] as const
const place = ['chainId', 'safeAddress'] as const
const fields = [
  'to', 'value', 'data', 'operation', 'safeTxGas', 'baseGas',
  'gasPrice', 'gasToken', 'refundReceiver', 'nonce',
] as const
const meanings = ['callMeaning', 'innerCalls', 'message', 'messageMeaning'] as const

/** Gives several parts one display. */
function all<Part extends DevicePart>(parts: readonly Part[], display: DeviceDisplay): Record<Part, DeviceDisplay> {
  return Object.fromEntries(parts.map((part) => [part, display])) as Record<Part, DeviceDisplay>
}

const nothing = { ...all(hashes, 'not-shown'), ...all(place, 'not-shown'), ...all(fields, 'not-shown') }
const onlyTwoHashes = {
  ...nothing,
  ...all(meanings, 'not-shown'),
  domainHash: 'shown',
  messageHash: 'shown',
} as const

/** Stands for every device that is not listed: nothing is known of it. */
const otherDevice: SigningDevice = {
  id: 'other',
  isHardware: false,
  release: null,
  checkedOn: '2026-11-22',
  letterCase: 'unknown',
  parts: {
    ...all(hashes, 'unknown'),
    ...all(place, 'unknown'),
    ...all(fields, 'unknown'),
    ...all(meanings, 'unknown'),
  },
  ofMessage: {},
  sources: [],
}

/** Hardware and software wallets, and what each shows when an owner signs, with the day and the source of each fact; `other` is the last. */
export const signingDevices: readonly SigningDevice[] = [
  {
    id: 'ledger',
    isHardware: true,
    release: null,
    checkedOn: '2026-11-22',
    letterCase: 'upper',
    parts: onlyTwoHashes,
    ofMessage: {},
    sources: [
      {
        says: 'The app shows rows titled Domain hash and Message hash when it gets the hashes alone.',
        url: 'https://github.com/LedgerHQ/app-ethereum/blob/develop/doc/apdu.md',
        readOn: '2026-11-22',
      },
      {
        says: 'Hex digits are written in capitals.',
        url: 'https://github.com/LedgerHQ/ledger-secure-sdk/blob/master/lib_standard_app/format.c',
        readOn: '2026-11-22',
      },
      {
        says: 'The digest of EIP-712 is proposed, and was not merged.',
        url: 'https://github.com/LedgerHQ/app-ethereum/pull/976',
        readOn: '2026-11-22',
      },
    ],
  },
  {
    id: 'ledger-clear',
    isHardware: true,
    release: null,
    checkedOn: '2026-11-22',
    letterCase: 'upper',
    parts: {
      ...nothing,
      ...all(fields, 'shown'),
      ...all(place, 'unknown'),
      domainHash: 'sometimes',
      messageHash: 'sometimes',
      data: 'not-shown',
      safeTxGas: 'not-shown',
      nonce: 'not-shown',
      callMeaning: 'sometimes',
      innerCalls: 'not-shown',
      message: 'unknown',
      messageMeaning: 'unknown',
    },
    // The description is of SafeTx: a SafeMessage has none.
    ofMessage: { ...onlyTwoHashes },
    sources: [
      {
        says: 'The description of SafeTx shows eight fields and never nonce and safeTxGas.',
        url: 'https://github.com/ethereum/clear-signing-erc7730-registry/blob/master/registry/safe/common-eip712-Safe.json',
        readOn: '2026-11-22',
      },
      {
        says: 'A setting shows the hashes as well.',
        url: 'https://github.com/LedgerHQ/app-ethereum',
        readOn: '2026-11-22',
      },
    ],
  },
  {
    id: 'trezor',
    isHardware: true,
    release: null,
    checkedOn: '2026-11-22',
    letterCase: 'lower',
    parts: {
      ...nothing,
      ...all(place, 'sometimes'),
      ...all(fields, 'sometimes'),
      ...all(meanings, 'not-shown'),
      messageHash: 'sometimes',
      message: 'sometimes',
    },
    ofMessage: {},
    sources: [
      {
        says: 'Domain and fields are shown when the owner chooses to see all of them; a message hash in small letters.',
        url: 'https://github.com/trezor/trezor-firmware/blob/main/core/src/apps/ethereum/layout.py',
        readOn: '2026-11-22',
      },
      {
        says: 'The software asks for the message hash, by default for Safe.',
        url: 'https://github.com/trezor/trezor-suite/pull/23080',
        readOn: '2026-11-22',
      },
      {
        says: 'The digest of call data is shown for transactions, not for typed data.',
        url: 'https://github.com/trezor/trezor-firmware/pull/7315',
        readOn: '2026-11-22',
      },
    ],
  },
  {
    id: 'trezor-one',
    isHardware: true,
    release: null,
    checkedOn: '2026-11-22',
    letterCase: 'lower',
    parts: onlyTwoHashes,
    ofMessage: {},
    sources: [
      {
        says: 'It signs EIP-712 by the two hashes.',
        url: 'https://github.com/trezor/trezor-firmware/pull/1970',
        readOn: '2026-11-22',
      },
    ],
  },
  {
    id: 'keystone',
    isHardware: true,
    release: '3.0.0 of 2026-07-20',
    checkedOn: '2026-11-22',
    letterCase: 'lower',
    parts: {
      ...all(hashes, 'shown'),
      ...all(place, 'shown'),
      ...all(fields, 'shown'),
      calldataDigest: 'not-shown',
      callMeaning: 'unknown',
      innerCalls: 'unknown',
      message: 'shown',
      messageMeaning: 'not-shown',
    },
    ofMessage: { domainHash: 'not-shown', messageHash: 'not-shown', eip712Digest: 'not-shown' },
    sources: [
      {
        says: 'Hashes stand above the fields when the type is SafeTx, and only then.',
        url: 'https://github.com/KeystoneHQ/keystone3-firmware/blob/8420703ad8674745ca8f086590371661747b7dca/src/ui/gui_chain/multi/web3/gui_eth.c',
        readOn: '2026-11-22',
      },
      {
        says: 'The third hash is keccak256 over both others: the safeTxHash.',
        url: 'https://github.com/KeystoneHQ/keystone3-firmware/blob/8420703ad8674745ca8f086590371661747b7dca/rust/apps/ethereum/src/structs.rs',
        readOn: '2026-11-22',
      },
    ],
  },
  {
    id: 'metamask',
    isHardware: false,
    release: null,
    checkedOn: '2026-11-22',
    letterCase: 'unknown',
    parts: {
      ...all(hashes, 'unknown'),
      ...all(place, 'shown'),
      ...all(fields, 'shown'),
      ...all(meanings, 'unknown'),
      message: 'shown',
    },
    ofMessage: {},
    sources: [
      {
        says: 'The fields of the typed data can be looked at before signing.',
        url: 'https://help.safe.global/en/articles/40831-how-to-verify-safe-transactions-on-a-hardware-wallet',
        readOn: '2026-11-22',
      },
      {
        says: 'A setting for digests was proposed in April 2026; whether a release has it was not found.',
        url: 'https://github.com/MetaMask/metamask-extension/pull/41563',
        readOn: '2026-11-22',
      },
    ],
  },
  {
    id: 'rabby',
    isHardware: false,
    release: null,
    checkedOn: '2026-11-22',
    letterCase: 'unknown',
    parts: {
      ...nothing,
      ...all(place, 'sometimes'),
      ...all(fields, 'sometimes'),
      ...all(meanings, 'not-shown'),
      message: 'sometimes',
      messageMeaning: 'unknown',
    },
    ofMessage: {},
    sources: [
      {
        says: 'The typed data is one press away; no hash is shown; a call inside a Safe is not decoded.',
        url: 'https://github.com/walletbeat/walletbeat/blob/01547833a57ad81a4b2a819fe59745574b500a9a/data/software-wallets/rabby.ts',
        readOn: '2026-11-22',
      },
    ],
  },
  otherDevice,
]

/**
 * The device with this id. Of what is not listed nothing is known: it is `other`.
 *
 * @example
 * signingDevice('keystone').release // '3.0.0 of 2026-07-20'
 */
export function signingDevice(id: string): SigningDevice {
  return signingDevices.find((device) => device.id === id) ?? otherDevice
}
