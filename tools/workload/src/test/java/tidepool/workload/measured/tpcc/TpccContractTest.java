package tidepool.workload.measured.tpcc;

import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.MeasuredWorkloadContract;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** TPC-C keeps the promises of every workload, with indexes. */
class TpccContractTest extends MeasuredWorkloadContract {
    @Override
    protected MeasuredWorkload small() {
        return Workloads.named("tpcc?warehouses=2&customers=30&items=200&orders=30k", Scale.SPEC);
    }

    /**
     * About a hundred nodes of indexes are made, each of which takes some objects. TpccAllocationTest has the
     * transactions that make none.
     */
    @Override
    protected long allocatedBytes() {
        return 150_000;
    }

    /** A run inserts and never forgets; room for the longest of these tests. */
    @Override
    protected String memory() {
        return "48m";
    }
}
