// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A token that keeps a tenth of what is sent. Everybody has 5,000,000 of its smallest units until they send some.
contract FeeToken {
    string public constant name = "Toll";
    string public constant symbol = "TOLL";
    uint8 public constant decimals = 2;
    mapping(address account => int256) private changes;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function balanceOf(address account) public view returns (uint256) {
        return uint256(5_000_000 + changes[account]);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(balanceOf(msg.sender) >= value, "too little");
        uint256 fee = value / 10;
        changes[msg.sender] -= int256(value);
        changes[to] += int256(value - fee);
        changes[address(this)] += int256(fee);
        emit Transfer(msg.sender, address(this), fee);
        emit Transfer(msg.sender, to, value - fee);
        return true;
    }
}
