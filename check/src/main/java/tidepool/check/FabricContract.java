package tidepool.check;

/**
 * What every fabric promises. A new fabric's test extends this class, says how to open a fresh pool, and is done when it
 * is green; {@code docs/fabric-contract.md} is the same contract in prose.
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
