package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.workload.site.Site;

/** A worker that does not do what it should is no riddle: what its threads are about can be read. */
class WorkerDiagnosisTest {
    @Test
    void theStacksOfAWorkerCanBeReadAndItGoesOn() throws Exception {
        try (Playground ground = new Playground(Site.on("shm"), 1, 1, 0, 8, 8, 0, 10)) {
            ground.load();
            WorkerProcess worker = ground.start();
            worker.awaitReady();

            String diagnosis = worker.diagnosis();

            assertTrue(diagnosis.contains("ms of processor time"), diagnosis);
            assertTrue(diagnosis.contains("at tidepool.workload.Worker.run"), diagnosis);
            worker.stop();
            assertNull(worker.failure());
        }
    }
}
