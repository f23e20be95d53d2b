// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A source of prices as Chainlink has them (AggregatorV3Interface). Anybody may set anything.
contract PriceFeed {
    string public description;
    uint8 public decimals;
    uint80 private round;
    int256 private answer;
    uint256 private updatedAt;

    function describe(string calldata description_, uint8 decimals_) external {
        description = description_;
        decimals = decimals_;
    }

    function set(int256 answer_, uint256 updatedAt_) external {
        round++;
        answer = answer_;
        updatedAt = updatedAt_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (round, answer, updatedAt, updatedAt, round);
    }
}
