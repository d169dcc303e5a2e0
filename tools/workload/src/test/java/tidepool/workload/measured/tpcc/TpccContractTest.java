package tidepool.workload.measured.tpcc;

import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.MeasuredWorkloadContract;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** TPC-C keeps the promises of every workload. */
class TpccContractTest extends MeasuredWorkloadContract {
    @Override
    protected MeasuredWorkload small() {
        return Workloads.named("tpcc?warehouses=2&customers=30&items=200&orders=30k", Scale.SPEC);
    }

    /** A run inserts and never forgets; room for the longest of these tests. */
    @Override
    protected String memory() {
        return "48m";
    }
}
