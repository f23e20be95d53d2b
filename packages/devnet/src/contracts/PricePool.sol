// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A pool of two tokens as Uniswap v3 has them, of which only the observations are there. Anybody may tell anything.
contract PricePool {
    address public immutable token0;
    address public immutable token1;

    struct Span {
        uint256 since;
        int256 tick;
        uint256 liquidity;
    }

    Span[] private spans;

    constructor(address token0_, address token1_) {
        token0 = token0_;
        token1 = token1_;
    }

    function forget() external {
        delete spans;
    }

    /// From a time on, until the next one that is told.
    function tell(uint256 since, int256 tick, uint256 liquidity) external {
        spans.push(Span(since, tick, liquidity));
    }

    function observe(uint32[] calldata secondsAgos)
        external
        view
        returns (int56[] memory tickCumulatives, uint160[] memory secondsPerLiquidityCumulativeX128s)
    {
        tickCumulatives = new int56[](secondsAgos.length);
        secondsPerLiquidityCumulativeX128s = new uint160[](secondsAgos.length);
        for (uint256 i = 0; i < secondsAgos.length; i++)
            (tickCumulatives[i], secondsPerLiquidityCumulativeX128s[i]) = sumUntil(block.timestamp - secondsAgos[i]);
    }

    function sumUntil(uint256 time) private view returns (int56, uint160) {
        require(spans.length > 0 && spans[0].since <= time, "OLD");
        int256 ticks = 0;
        uint256 shares = 0;
        for (uint256 i = 0; i < spans.length && spans[i].since < time; i++) {
            uint256 end = i + 1 < spans.length && spans[i + 1].since < time ? spans[i + 1].since : time;
            uint256 length = end - spans[i].since;
            ticks += spans[i].tick * int256(length);
            shares += (length << 128) / (spans[i].liquidity == 0 ? 1 : spans[i].liquidity);
        }
        // Sums are kept in so many bits, and begin anew above them.
        return (int56(ticks), uint160(shares));
    }
}
