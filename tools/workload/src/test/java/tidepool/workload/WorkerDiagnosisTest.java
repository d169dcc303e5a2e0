package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.workload.site.Site;

/** The threads of a worker that hangs can be read. */
class WorkerDiagnosisTest {
    @Test
    void theStacksOfAWorkerCanBeReadAndItGoesOn() throws Exception {
        try (WorkerSite workerSite = new WorkerSite(Site.on("shm"), 1, 1, 0, 8, 8, 0, 10)) {
            workerSite.load();
            WorkerProcess worker = workerSite.start();
            worker.awaitReady();

            String diagnosis = worker.diagnosis();

            assertTrue(diagnosis.contains("ms of processor time"), diagnosis);
            assertTrue(diagnosis.contains("at tidepool.workload.WorkerMain.run"), diagnosis);
            worker.stop();
            assertNull(worker.failure());
        }
    }
}
