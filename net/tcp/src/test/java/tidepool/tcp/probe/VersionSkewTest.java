package tidepool.tcp.probe;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** A client refuses a node of another release and names both versions; NodeVersionSkewTest has the node. */
class VersionSkewTest {
    private static final int OTHER = Frame.VERSION + 6;

    @Test
    void aClientRefusesANodeOfAnotherVersion() throws Exception {
        try (ScriptedNode node = new ScriptedNode(ScriptedNode.challenge(OTHER))) {
            String sentence = openingFails(node);
            assertTrue(sentence.contains("version " + OTHER + " of the wire"), sentence);
            assertTrue(sentence.contains("" + Frame.VERSION), sentence);
        }
    }

    /** Here the node detects the mismatch, and the user reads its sentence. */
    @Test
    void aClientTellsWhatTheNodeSaid() throws Exception {
        String said = "this node speaks version 7 of the wire, the client version 1";
        try (ScriptedNode node = new ScriptedNode(ScriptedNode.refused(RefusedCode.VERSION, said))) {
            String sentence = openingFails(node);
            assertTrue(sentence.contains(said), sentence);
        }
    }

    private static String openingFails(ScriptedNode node) {
        return assertThrows(FabricException.class, () -> Fabric.open("tcp://127.0.0.1:" + node.port() + "/p"))
                .getMessage();
    }
}
