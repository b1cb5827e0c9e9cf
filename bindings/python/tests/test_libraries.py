"""scikit-learn and SciPy on our arrays, by their own support of the standard; their results are those on NumPy's."""

import os

import numpy as np
import pytest
from support import ours

os.environ["SCIPY_ARRAY_API"] = "1"
import ashlar as xp  # noqa: E402

compat = pytest.importorskip("array_api_compat", reason="array-api-compat is not installed in this environment")
sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed in this environment")
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.metrics import accuracy_score, mean_squared_error, r2_score  # noqa: E402
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler  # noqa: E402

pytestmark = pytest.mark.skipif(xp.default_device().name != "cpu:0", reason="these libraries know the host's devices alone")


@pytest.fixture(autouse=True)
def dispatch():
    with sklearn.config_context(array_api_dispatch=True):
        yield


IRIS = load_iris()
X, Y = IRIS.data, IRIS.target


def same(got, want, tolerance=1e-8):
    assert type(got) is xp.Array or np.isscalar(got)
    assert np.allclose(np.asarray(got), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("scaler", [MinMaxScaler, MaxAbsScaler])
def test_scalers(scaler):
    same(scaler().fit_transform(ours(X)), scaler().fit_transform(X))


def test_principal_components():
    got, want = PCA(n_components=2, svd_solver="full").fit(ours(X)), PCA(n_components=2, svd_solver="full").fit(X)
    same(got.explained_variance_, want.explained_variance_)
    same(got.components_, want.components_)
    same(got.transform(ours(X)), want.transform(X))


def test_ridge():
    got, want = Ridge(solver="svd").fit(ours(X), ours(Y.astype(float))), Ridge(solver="svd").fit(X, Y.astype(float))
    same(got.coef_, want.coef_)
    same(got.predict(ours(X)), want.predict(X))


def test_linear_discriminants():
    got = LinearDiscriminantAnalysis(solver="svd").fit(ours(X), ours(Y))
    want = LinearDiscriminantAnalysis(solver="svd").fit(X, Y)
    same(got.transform(ours(X)), want.transform(X))


def test_metrics():
    a, b = X[:, 0], X[:, 1]
    assert mean_squared_error(ours(a), ours(b)) == pytest.approx(mean_squared_error(a, b))
    assert r2_score(ours(a), ours(b)) == pytest.approx(r2_score(a, b))
    assert accuracy_score(ours(Y), ours(Y[::-1].copy())) == pytest.approx(accuracy_score(Y, Y[::-1]))


def test_scipy():
    scipy_special = pytest.importorskip("scipy.special", reason="SciPy is not installed in this environment")
    scipy_stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed in this environment")
    same(scipy_special.logsumexp(ours(X), axis=1), scipy_special.logsumexp(X, axis=1))
    same(scipy_stats.zscore(ours(X)), scipy_stats.zscore(X))
    same(scipy_stats.skew(ours(X), axis=0), scipy_stats.skew(X, axis=0))


def test_compat():
    x = ours(X)
    assert compat.is_array_api_obj(x) and compat.array_namespace(x) is xp and compat.device(x) == x.device
    assert compat.size(x) == 600 and compat.to_device(x, x.device) is x
