package tidepool.contracts;

/**
 * The contract of a fabric, as a test suite. A new fabric's test extends this class and says how to open a fresh pool;
 * the fabric is complete when the test passes. {@code docs/internals/fabric-contract.md} is this contract in prose.
 */
public abstract class FabricContract
        implements VerbContract,
                OrderContract,
                AtomicityContract,
                RefusalContract,
                MistakeContract,
                SessionContract,
                RegionContract,
                RoundContract,
                FollowingContract,
                FailureContract,
                GroupContract,
                CountingContract {
    protected FabricContract() {}
}
