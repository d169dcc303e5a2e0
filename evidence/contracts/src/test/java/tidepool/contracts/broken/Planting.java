package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;

/** The forms that most defects have. */
final class Planting {
    private Planting() {}

    /** Carries out a verb in its own way; false to have it carried out properly. */
    interface Step {
        boolean take(StepFabric.StepLane lane, Verb verb);
    }

    static Defect steps(String name, String what, Step step, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void step(Round round, Verb verb) {
                                try {
                                    if (step.take(this, verb)) return;
                                } catch (FabricException e) {
                                    // The proper way fails too, and says why.
                                }
                                super.step(round, verb);
                            }
                        };
                    }
                },
                caughtBy);
    }

    /** Side effect of a defect that accompanies a refusal. */
    interface Aftermath {
        void of(StepFabric.StepLane lane, Verb verb);
    }

    static Defect refusals(String name, String what, Refusal refusal, Aftermath aftermath, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void step(Round round, Verb verb) {
                                super.step(round, verb);
                                if (verb.refusal() != refusal) return;
                                aftermath.of(this, verb);
                                if (verb.effect() == Effect.DONE) verb.failed(Effect.DONE, null);
                            }
                        };
                    }
                },
                caughtBy);
    }

    /** A wrong report of the verbs of a failed round. */
    interface Report {
        void change(Round round);
    }

    static Defect reports(String name, String what, Report report, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void report(Round round) {
                                super.report(round);
                                boolean failed = false;
                                for (int i = 0; i < round.count(); i++)
                                    failed |= round.verb(i).effect() != Effect.DONE;
                                if (failed) report.change(round);
                            }
                        };
                    }
                },
                caughtBy);
    }

    /** The answer of a broken control call. */
    record Answer(Object value) {
        static final Answer NOTHING = new Answer(null);
    }

    /** Answers a control call in its own way; null to have it answered properly. */
    interface Call {
        Answer answer(NodeControl real, String method, Object[] arguments);
    }

    static Defect control(String name, String what, Call call, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new FilterFabric(f) {
                    @Override
                    public NodeControl control(int node) {
                        return answering(super.control(node), call);
                    }
                },
                caughtBy);
    }

    /** The control of a node, but for what the call answers. */
    static NodeControl answering(NodeControl real, Call call) {
        return (NodeControl) Proxy.newProxyInstance(
                Planting.class.getClassLoader(), new Class<?>[] {NodeControl.class}, (proxy, method, arguments) -> {
                    Answer answer = call.answer(real, method.getName(), arguments);
                    if (answer != null) return answer.value();
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Whether a READ or WRITE is one that is not refused. */
    static boolean isGood(Verb verb) {
        return verb.offset() >= 0
                && verb.length() > 0
                && ((verb.offset() | verb.length()) & 7) == 0
                && verb.offset() <= verb.region().bytes() - verb.length();
    }
}
